import { VarveError } from "../../../errors.js";
import type { Checkpoint } from "../../../session/checkpoint.js";
import { defineCommand } from "../../command.js";
import { noSession, type StoreOptions } from "../../open.js";
import { optionsFor, withVarve } from "../../open-session.js";
import type { Output } from "../../output/schemas.js";
import { formatEntries } from "../../output/tables.js";

interface ForkOptions extends StoreOptions {
  readonly at?: string;
}

export const command = defineCommand<ForkOptions>({
  shares: ["store"],
  define: (command) => {
    command
      .argument("<id>", "the session")
      .argument("<new-id>", "the id of the copy")
      .option("--at <checkpoint>", "go back to a checkpoint in the copy, by id or name");
  },
  async run({ options, operands: [from = "", to = ""] }) {
    const data = await withVarve(options, async (varve, loaded): Promise<Output<"session fork">> => {
      if (options.at !== undefined) checkThere(options.at, (await varve.describe(from))?.checkpoints ?? []);
      const { id, entries } = await varve.fork(from, to);
      if (options.at === undefined) return { from, id, entries, checkpoint: null };
      const summary = await varve.describe(id);
      if (summary === undefined) throw noSession(id);
      const session = await varve.session(id, await optionsFor(options, { loaded, summary }));
      const { id: checkpoint } = await session.restore(options.at);
      return { from, id, entries, checkpoint };
    });
    return { data, lines: () => [` ${data.from} → ${data.id}: ${formatEntries(data.entries)}.`] };
  },
});

/** Before anything is copied. */
function checkThere(wanted: string, checkpoints: readonly Checkpoint[]): void {
  if (checkpoints.some(({ id, name }) => id === wanted || name === wanted)) return;
  throw new VarveError({
    code: "not-found",
    message: `There is no checkpoint "${wanted}".`,
    hint: "`varve context checkpoint --list` shows those there are.",
    details: { checkpoint: wanted },
  });
}
