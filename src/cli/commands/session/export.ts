import { VarveError } from "../../../errors.js";
import { defineCommand } from "../../command.js";
import type { StoreOptions } from "../../open.js";
import { withVarve } from "../../open-session.js";
import type { Output } from "../../output/schemas.js";
import { formatEntries } from "../../output/tables.js";
import { countOf } from "../../terminal/format.js";
import { noFile, writeLines } from "../../write-lines.js";

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
  const onLine = (line: string): void => {
    if (line.startsWith('{"type":"session"')) count.sessions++;
    if (line.startsWith('{"type":"entry"')) count.entries++;
  };
  await writeLines(lines, { file, onLine });
  return count;
}

const nothingNamed = (): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: "No session is named.",
    hint: "Name sessions by their ids, as `varve session list` shows them, or pass --all.",
    details: { option: "--all" },
  });
