import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { checkMerged, checkStrategy } from "../../../config/check-merged.js";
import { CONFIG_FILE, userFile } from "../../../config/find-files.js";
import { CONFIG_SCHEMA } from "../../../config/json-schema.js";
import type { ConfigValue } from "../../../config/layer.js";
import { checkLayer } from "../../../config/read-config.js";
import { VarveError } from "../../../errors.js";
import { defineCommand } from "../../command.js";
import { writing } from "../../not-written.js";
import type { Output } from "../../output/schemas.js";
import { parseTokens } from "../../shared-options.js";

interface InitOptions {
  readonly store: string;
  readonly model?: string;
  readonly window?: number;
  readonly strategy: string;
  readonly user?: boolean;
  readonly force?: boolean;
}

const USER_HINT = "Check the permissions of its folder, or name another one with XDG_CONFIG_HOME (APPDATA on Windows).";
const PROJECT_HINT = "Go to a folder that you may write to, or write the file of this user with --user.";

export const command = defineCommand<InitOptions>({
  define: (command) => {
    command
      .option("--store <address>", "where sessions are kept", "sqlite:.varve/varve.db")
      .option("--model <name>", "names the model: its window and its tokenizer")
      .option(
        "--window <tokens>",
        "tokens that the model takes in one request; 128000 where no model is named",
        parseTokens,
      )
      .option("--strategy <name>", "how views are made", "hierarchical")
      .option("--user", "write the file of this user, for all projects")
      .option("--force", "write over a file that is there");
  },
  async run({ options }) {
    const file = options.user ? userFile(process.env) : resolve(CONFIG_FILE);
    if (existsSync(file) && !options.force) throw isThere(file);
    const config = await configOf(options, dirname(file));
    writing(file, options.user ? USER_HINT : PROJECT_HINT, () => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify(config, undefined, 2)}\n`);
    });
    const data: Output<"config init"> = { file, config };
    return {
      data,
      lines: () => [` Wrote ${file}.`, " `varve config show` tells what is in force, `varve doctor` whether it works."],
    };
  },
});

async function configOf(
  { store, model, window, strategy }: InitOptions,
  folder: string,
): Promise<Record<string, unknown>> {
  const size = model === undefined ? { window: window ?? 128_000 } : { model, ...(window && { window }) };
  const values = { store, ...size, strategy };
  const layer = Object.entries(values).map(([path, value]): ConfigValue => {
    return { path, value, source: { kind: "flag", name: `--${path}` } };
  });
  await checkLayer(layer);
  checkMerged(layer);
  await checkStrategy({ values: layer, files: {} });
  return { $schema: schemaFor(folder), ...values };
}

/** The installed schema where there is one, so that editors need no network. */
function schemaFor(folder: string): string {
  const installed = resolve(folder, "node_modules/varve/assets/varve.schema.json");
  return existsSync(installed) ? `./${relative(folder, installed).replaceAll("\\", "/")}` : CONFIG_SCHEMA;
}

const isThere = (file: string): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `There is a ${file} already.`,
    hint: "Edit it, or write over it with --force.",
    details: { file },
  });
