import { VarveError } from "../../../errors.js";
import { defineCommand } from "../../command.js";
import type { SessionChoice } from "../../open.js";
import { withSession } from "../../open-session.js";
import { receiptData, receiptLines } from "../../output/receipt-lines.js";
import type { Output } from "../../output/schemas.js";
import { parseShare } from "../../shared-options.js";

interface CompressOptions extends SessionChoice {
  readonly threshold?: number;
}

/** Reduces with the session's own strategy, also where the view still fits. */
export const command = defineCommand<CompressOptions>({
  shares: ["session", "store", "window"],
  define: (command) => {
    command.option(
      "--threshold <score>",
      "what scores less is not kept in full, from now on; for the strategy importance",
      parseShare,
    );
  },
  async run({ options, screen }) {
    const { threshold } = options;
    const extra = (strategy: string) => (threshold === undefined ? undefined : scored(strategy, threshold));
    const { session, receipt } = await withSession(
      options,
      async (opened) => ({ session: opened.id, receipt: await opened.compact({ force: true }) }),
      { extra, uses: ["summariser"] },
    );
    const data: Output<"context compress"> = { session, receipt: receiptData(receipt) };
    return { data, lines: () => ["", ...receiptLines(receipt, screen), ""] };
  },
});

function scored(strategy: string, threshold: number): Readonly<Record<string, unknown>> {
  if (strategy === "importance") return { threshold };
  throw new VarveError({
    code: "invalid-option",
    message: `--threshold is read by the strategy importance; the session's is ${strategy}.`,
    hint: "Leave --threshold out, or switch the session over with --strategy importance.",
    details: { option: "--threshold", value: threshold, strategy },
  });
}
