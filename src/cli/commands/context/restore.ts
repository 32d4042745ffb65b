import { defineCommand } from "../../command.js";
import type { SessionChoice } from "../../open.js";
import { withSession } from "../../open-session.js";
import type { Output } from "../../output/schemas.js";
import { formatEntries, formatTime } from "../../output/tables.js";
import { checkpointData } from "./checkpoint-data.js";

export const command = defineCommand<SessionChoice>({
  shares: ["session", "store", "window"],
  define: (command) => {
    command.argument("<checkpoint>", "its id or its name; `varve context checkpoint --list` shows them");
  },
  async run({ options, operands: [wanted = ""] }) {
    const data = await withSession(options, async (session): Promise<Output<"context restore">> => {
      const { removed, added } = session.diff(wanted);
      const found = await session.restore(wanted);
      await session.flush();
      return {
        session: session.id,
        checkpoint: checkpointData(found),
        removed: added.length,
        added: removed.length,
      };
    });
    const { checkpoint, removed } = data;
    const kept =
      removed === 0 ? "" : ` ${formatEntries(removed)} that came after it stay in the log, on a branch of their own.`;
    return {
      data,
      lines: () => [` Back at ${checkpoint.id} "${checkpoint.name}" of ${formatTime(checkpoint.time)}.${kept}`],
    };
  },
});
