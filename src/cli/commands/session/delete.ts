import { VarveError } from "../../../errors.js";
import { defineCommand } from "../../command.js";
import { noSession, type StoreOptions } from "../../open.js";
import { withVarve } from "../../open-session.js";
import type { Output } from "../../output/schemas.js";
import { formatBytes, formatEntries } from "../../output/tables.js";
import { confirm } from "../../terminal/confirm.js";

interface DeleteOptions extends StoreOptions {
  readonly yes?: boolean;
}

/** What is deleted cannot come back, so that it is asked for twice. */
export const command = defineCommand<DeleteOptions>({
  shares: ["store"],
  define: (command) => {
    command.argument("<id>", "the session").option("-y, --yes", "delete without asking");
  },
  async run({ options, operands: [id = ""] }) {
    const data = await withVarve(options, async (varve): Promise<Output<"session delete">> => {
      const summary = await varve.describe(id);
      if (summary === undefined) throw noSession(id);
      const { entries, bytes } = summary.info;
      const size = `${formatEntries(entries)}, ${formatBytes(bytes)}`;
      if (!options.yes && !(await confirm(`Delete the session "${id}" (${size}) for good?`))) throw notConfirmed(id);
      const removed = await varve.delete(id);
      return { deleted: [{ id, entries: removed?.entries ?? 0, bytes: removed?.bytes ?? 0 }] };
    });
    return {
      data,
      lines: () => data.deleted.map(({ id: gone, entries }) => ` Deleted ${gone}: ${formatEntries(entries)}.`),
    };
  },
});

const notConfirmed = (id: string): VarveError =>
  new VarveError({
    code: "aborted",
    message: `The session "${id}" was not deleted.`,
    hint: "Answer y, or pass --yes where nobody can be asked.",
    details: { session: id },
  });
