import { defineCommand } from "../../command.js";
import type { SessionChoice } from "../../open.js";
import { withSession } from "../../open-session.js";
import { receiptData, receiptLines } from "../../output/receipt-lines.js";
import type { Output } from "../../output/schemas.js";

export const command = defineCommand<SessionChoice>({
  shares: ["session", "store", "window"],
  async run({ options, screen }) {
    const { session, receipt } = await withSession(
      options,
      async (opened) => ({ session: opened.id, receipt: await opened.explain() }),
      { look: true, uses: ["summariser"] },
    );
    const data: Output<"context explain"> = { session, receipt: receipt === undefined ? null : receiptData(receipt) };
    const nothing = [" A compaction would do nothing: there is nothing to leave out."];
    return { data, lines: () => ["", ...(receipt === undefined ? nothing : receiptLines(receipt, screen)), ""] };
  },
});
