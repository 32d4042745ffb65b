import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { VarveError } from "../../../errors.js";
import { defineCommand } from "../../command.js";
import type { StoreOptions } from "../../open.js";
import { withVarve } from "../../open-session.js";
import type { Output } from "../../output/schemas.js";
import { formatEntries } from "../../output/tables.js";
import { countOf } from "../../terminal/format.js";

interface ExportOptions extends StoreOptions {
  readonly output?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** The lines go to stdout, or to a file; with a file, `--json` tells what was written. */
export const command = defineCommand<ExportOptions>({
  shares: ["store"],
  define: (command) => {
    command
      .argument("[ids...]", "the sessions")
      .option("--all", "all sessions")
      .option("-o, --output <file>", "the file to write; stdout unless given");
  },
  async run({ options, operands, say }) {
    const ids = operands.flat().filter((id) => id !== undefined);
    if (ids.length === 0 && !options.all) throw nothingNamed();
    const { output } = options;
    if (output === undefined && options.json) throw noFile();
    const count = await withVarve(options, (varve) =>
      write(varve.export(ids.length === 0 ? {} : { sessions: ids }), output),
    );
    if (!options.json) say(`${countOf(count.sessions, "session")}, ${formatEntries(count.entries)}.`);
    const data: Output<"session export"> = { file: output ?? "-", ...count };
    return { data, lines: () => [], ...(output === undefined && { written: true }) };
  },
});

async function write(lines: AsyncIterable<string>, file: string | undefined) {
  const count = { sessions: 0, entries: 0 };
  const stream = file === undefined ? process.stdout : createWriteStream(file, { mode: 0o600 });
  for await (const line of lines) {
    if (line.startsWith('{"type":"session"')) count.sessions++;
    if (line.startsWith('{"type":"entry"')) count.entries++;
    if (!stream.write(line)) await once(stream, "drain");
  }
  if (stream !== process.stdout) {
    stream.end();
    await finished(stream);
  }
  return count;
}

const nothingNamed = (): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: "No session is named.",
    hint: "Name sessions by their ids, as `varve session list` shows them, or pass --all.",
  });

const noFile = (): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: "An export to stdout is lines of JSON already.",
    hint: "Leave --json out, or name a file with --output: --json then tells what was written.",
  });
