import { writeFileSync } from "node:fs";
import { defineCommand } from "../command.js";
import { writing } from "../not-written.js";
import type { StoreOptions } from "../open.js";
import { withSession } from "../open-session.js";
import type { Output } from "../output/schemas.js";
import { parseTokens } from "../shared-options.js";
import { countOf } from "../terminal/format.js";
import { readable } from "../terminal/visible.js";

interface NotesOptions extends StoreOptions {
  readonly maxTokens?: number;
  readonly output?: string;
}

/** The text goes to stdout, or to a file; it is the same in both. */
export const command = defineCommand<NotesOptions>({
  shares: ["store"],
  define: (command) => {
    command
      .argument("[id]", "the session; the one changed last unless given")
      .option("--max-tokens <tokens>", "how long they may be; 2,000 unless given", parseTokens)
      .option("-o, --output <file>", "the file to write; stdout unless given");
  },
  async run({ options, operands: [id], say }) {
    const { maxTokens, output } = options;
    const chosen = id === undefined ? options : { ...options, session: id };
    const data = await withSession(
      chosen,
      async (session): Promise<Output<"notes">> => {
        const { text, tokens, notes } = session.notes(maxTokens === undefined ? {} : { maxTokens });
        const entries = session.entries();
        const told = notes.notes.map((note) => ({
          entry: entries[note.at]!.id,
          ...note,
          identifiers: [...note.identifiers],
        }));
        return { session: session.id, file: output ?? "-", tokens, text, notes: { ...notes, notes: told } };
      },
      { look: true },
    );
    if (output !== undefined) {
      writing(output, "Name another file with --output.", () =>
        writeFileSync(output, `${data.text}\n`, { mode: 0o600 }),
      );
      say(`${countOf(data.tokens, "token")} in ${output}.`);
      return { data, lines: () => [] };
    }
    return { data, lines: () => [process.stdout.isTTY ? readable(data.text) : data.text] };
  },
});
