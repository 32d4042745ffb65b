import { defineCommand } from "../../command.js";
import type { SessionChoice } from "../../open.js";
import { withSession } from "../../open-session.js";
import { receiptData, receiptLines } from "../../output/receipt-lines.js";
import type { Output } from "../../output/schemas.js";

export const command = defineCommand<SessionChoice>({
  shares: ["session", "store", "window"],
  async run({ options, screen }) {
    const { session, undone } = await withSession(options, async (opened) => {
      const receipt = await opened.undo();
      await opened.flush();
      return { session: opened.id, undone: receipt };
    });
    const data: Output<"context undo"> = { session, undone: receiptData(undone) };
    return { data, lines: () => ["", " Taken back:", ...receiptLines(undone, screen), ""] };
  },
});
