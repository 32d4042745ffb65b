import { defineCommand } from "../../command.js";
import type { SessionChoice } from "../../open.js";
import { withSession } from "../../open-session.js";
import type { Output } from "../../output/schemas.js";
import { formatTime } from "../../output/tables.js";
import { parseCount } from "../../shared-options.js";
import { wrap } from "../../terminal/format.js";
import type { Screen } from "../../terminal/screen.js";

interface SearchOptions extends SessionChoice {
  readonly limit: number;
}

const HITS = 5;

export const command = defineCommand<SearchOptions>({
  shares: ["session", "store", "window"],
  define: (command) => {
    command
      .argument("<query>", "the words to look for")
      .option("--limit <hits>", "entries to find at most", parseCount, HITS);
  },
  async run({ options, operands: [query = ""], screen }) {
    const data = await withSession(
      options,
      async (session): Promise<Output<"context search">> => {
        const hits = session.search(query, { limit: options.limit }).map(({ entry, score, excerpt }) => {
          const { id, time, role } = entry;
          return { id, time, role, score, excerpt };
        });
        return { session: session.id, query, hits };
      },
      { look: true },
    );
    return { data, lines: () => hitLines(data.hits, screen) };
  },
});

function hitLines(hits: Output<"context search">["hits"], screen: Screen): string[] {
  if (hits.length === 0) return [" Nothing found. Fewer or other words may find more."];
  return hits.flatMap(({ id, time, role, excerpt }) => [
    ` ${screen.ink.bold(id)} ${screen.ink.tone("muted", `${role}, ${formatTime(time)}`)}`,
    ...wrap(excerpt, screen.width() - 4).map((line) => `   ${line}`),
  ]);
}
