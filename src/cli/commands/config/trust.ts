import type { TrustRequest } from "../../../config/trust.js";
import { distrustFile, trustFile } from "../../../config/trusted-files.js";
import { VarveError } from "../../../errors.js";
import { defineCommand } from "../../command.js";
import { configOf, type StoreOptions } from "../../open.js";
import { wantWords } from "../../open-trusted.js";
import type { Output } from "../../output/schemas.js";

interface TrustOptions extends StoreOptions {
  readonly revoke?: boolean;
}

/** Whoever calls it has read the file: what it wants is told again, and remembered until the file changes. */
export const command = defineCommand<TrustOptions>({
  shares: ["store"],
  define: (command) => {
    command.option("--revoke", "trust it no longer");
  },
  async run({ options }) {
    const asked: TrustRequest[] = [];
    const { files } = await configOf(options, (request) => asked.push(request) > 0);
    const file = files.project ?? files.plugin;
    if (file === undefined) throw noFile();
    const [request] = asked;
    if (options.revoke) distrustFile(file, process.env);
    else if (request !== undefined) trustFile(request, process.env);
    const trusted = request !== undefined && !options.revoke;
    const data: Output<"config trust"> = { file, trusted, wants: (request?.wants ?? []).map(({ text }) => text) };
    const state = options.revoke ? "It is not trusted." : "It is trusted until it changes.";
    const nothing = `${file} asks for nothing that needs trust.`;
    return { data, lines: () => [` ${request === undefined ? nothing : `${wantWords(request)} ${state}`}`] };
  },
});

const noFile = (): VarveError =>
  new VarveError({
    code: "not-found",
    message: "There is no varve.json of a project here, nor a plugin.json.",
    hint: "Go to the project's folder, or name the file with --config.",
  });
