import { defineCommand } from "../../command.js";
import type { SessionChoice } from "../../open.js";
import { withSession } from "../../open-session.js";
import { receiptData, receiptLines } from "../../output/receipt-lines.js";
import type { Output } from "../../output/schemas.js";
import { parseCount } from "../../shared-options.js";

interface ReceiptsOptions extends SessionChoice {
  readonly limit: number;
}

const NEWEST = 10;

export const command = defineCommand<ReceiptsOptions>({
  shares: ["session", "store", "window"],
  define: (command) => {
    command.option("--limit <receipts>", "the newest so many", parseCount, NEWEST);
  },
  async run({ options, screen }) {
    const { id, receipts } = await withSession(
      options,
      async (session) => ({
        id: session.id,
        receipts: (await session.allReceipts()).slice(-options.limit),
      }),
      { look: true },
    );
    const data: Output<"context receipts"> = { session: id, receipts: receipts.map(receiptData) };
    const lines = () =>
      receipts.length === 0
        ? [" No compaction was made yet."]
        : receipts.flatMap((receipt) => ["", ...receiptLines(receipt, screen)]).concat("");
    return { data, lines };
  },
});
