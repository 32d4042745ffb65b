import { defineCommand } from "../../command.js";
import { allSessions, type StoreOptions, withStore } from "../../open.js";
import type { Output } from "../../output/schemas.js";
import { formatBytes, formatEntries, formatTime, rowLines } from "../../output/tables.js";
import { parseCount } from "../../shared-options.js";

interface ListOptions extends StoreOptions {
  readonly limit?: number;
  readonly prefix?: string;
}

export const command = defineCommand<ListOptions>({
  shares: ["store"],
  define: (command) => {
    command
      .option("--limit <sessions>", "the newest so many", parseCount)
      .option("--prefix <text>", "only those whose ids begin so");
  },
  async run({ options, screen, say }) {
    const all = await withStore(options, (store) => allSessions(store, options.prefix));
    const newest = all.sort((a, b) => b.updated - a.updated).slice(0, options.limit);
    const sessions = newest.map(({ id, entries, created, updated, bytes }) => ({
      id,
      entries,
      created,
      updated,
      bytes,
    }));
    const data: Output<"session list"> = { sessions, total: all.length };
    const lines = () => {
      if (sessions.length === 0) say("No sessions.");
      else if (sessions.length < all.length) say(`${sessions.length} of ${all.length} sessions.`);
      return rowLines(sessions.map(row), screen);
    };
    return { data, lines };
  },
});

const row = ({ id, entries, updated, bytes }: Output<"session list">["sessions"][number]): string[] => [
  formatTime(updated),
  formatEntries(entries),
  formatBytes(bytes),
  id,
];
