import { describeSource } from "../../../config/layer.js";
import type { LoadedConfig } from "../../../config/load-config.js";
import { trustRequests } from "../../../config/trust.js";
import { isTrustedFile } from "../../../config/trusted-files.js";
import { defineCommand } from "../../command.js";
import { configOf, type SessionChoice } from "../../open.js";
import { wantWords } from "../../open-trusted.js";
import type { Output } from "../../output/schemas.js";
import { rowLines } from "../../output/tables.js";
import type { Screen } from "../../terminal/screen.js";
import { visible } from "../../terminal/visible.js";

export const command = defineCommand<SessionChoice>({
  shares: ["store", "window"],
  async run({ options, screen, say }) {
    const { loaded, notes } = await shown(options);
    const { project = null, plugin = null, user = null } = loaded.files;
    const data: Output<"config show"> = {
      files: { project, plugin, user },
      values: loaded.values.map(({ path, value, source }) => ({ path, value: hidden(value), source: { ...source } })),
      notes,
    };
    const lines = () => {
      for (const note of notes) say(`Note: ${note}`);
      if (project === null && user === null) say("No varve.json was found; `varve config init` writes one.");
      return valueLines(loaded, screen);
    };
    return { data, lines };
  },
});

/** Nothing takes effect by being shown; what will not without trust is noted. */
async function shown(options: SessionChoice): Promise<{ loaded: LoadedConfig; notes: string[] }> {
  const loaded = await configOf(options);
  const asked = await trustRequests(loaded);
  const untrusted = asked.filter((request) => !isTrustedFile(request, process.env)).map(wantWords);
  return {
    loaded,
    notes: [...loaded.notes, ...untrusted.map((words) => `${words} \`varve config trust\` lets it.`)],
  };
}

function valueLines({ values }: LoadedConfig, screen: Screen): string[] {
  const rows = values.map(({ path, value, source }) => [path, textOf(hidden(value)), describeSource(source)]);
  return rowLines(rows, screen);
}

/** On one line, without codes: a file may hold any. */
const textOf = (value: unknown): string =>
  visible(typeof value === "string" && !value.includes("\n") ? value : JSON.stringify(value));

/** The password in an address of a database is nobody's business. */
const hidden = (value: unknown): unknown =>
  typeof value === "string" ? value.replace(/(:\/\/[^:/@\s]*:)[^@\s]*@/, "$1…@") : value;
