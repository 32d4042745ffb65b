import { defineCommand } from "../../command.js";
import type { SessionChoice } from "../../open.js";
import { withSession } from "../../open-session.js";
import type { Output } from "../../output/schemas.js";
import { parseCount, parseOffset } from "../../shared-options.js";
import { readable } from "../../terminal/visible.js";

interface ExpandOptions extends SessionChoice {
  readonly offset: number;
  readonly limit?: number;
}

/** Characters of a page on a terminal; in a pipe it is the whole. */
const PAGE = 8_000;

export const command = defineCommand<ExpandOptions>({
  shares: ["session", "store", "window"],
  define: (command) => {
    command
      .argument("<id>", "an entry such as e12, or a digest such as d3")
      .option("--offset <character>", "where to start", parseOffset, 0)
      .option("--limit <characters>", "characters to print at most; all of them in a pipe", parseCount);
  },
  async run({ options, operands: [id = ""], screen, say }) {
    const limit = options.limit ?? (screen.output.isTTY ? PAGE : Number.MAX_SAFE_INTEGER);
    const { offset } = options;
    const data = await withSession(
      options,
      async (session): Promise<Output<"context expand">> => {
        // A digest is known once the state of the view is loaded, which opening the session has done.
        const { text, next, total, entries } = session.expand(id, { offset, limit });
        return { session: session.id, id, text, offset, next: next ?? null, total, entries };
      },
      { look: true },
    );
    const lines = () => {
      if (data.next !== null) say(`${data.next} of ${data.total} characters; go on with --offset ${data.next}.`);
      return [process.stdout.isTTY ? readable(data.text) : data.text];
    };
    return { data, lines };
  },
});
