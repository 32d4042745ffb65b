import { trustRequests, wantedTexts } from "../../../config/trust.js";
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
    const loaded = await configOf(options);
    const requests = await trustRequests(loaded);
    const file = loaded.files.project ?? loaded.files.plugin ?? requests[0]?.file;
    if (file === undefined) throw noFile();
    for (const request of requests)
      if (options.revoke) distrustFile(request.file, process.env);
      else trustFile(request, process.env);
    const trusted = requests.length > 0 && !options.revoke;
    const wants = requests.flatMap(wantedTexts);
    const data: Output<"config trust"> = { file, trusted, wants };
    const state = options.revoke ? "It is not trusted." : "It is trusted until it changes.";
    const lines = requests.map((request) => ` ${wantWords(request)} ${state}`);
    return { data, lines: () => (lines.length === 0 ? [` ${file} asks for nothing that needs trust.`] : lines) };
  },
});

const noFile = (): VarveError =>
  new VarveError({
    code: "not-found",
    message: "There is no varve.json of a project here, nor a plugin.json, nor a store.",
    hint: "Go to the project's folder, or name the file with --config.",
  });
