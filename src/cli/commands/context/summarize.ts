import { VarveError } from "../../../errors.js";
import { defineCommand } from "../../command.js";
import type { SessionChoice } from "../../open.js";
import { withSession } from "../../open-session.js";
import { receiptData, receiptLines } from "../../output/receipt-lines.js";
import type { Output } from "../../output/schemas.js";
import { parseCount } from "../../shared-options.js";

interface SummarizeOptions extends SessionChoice {
  readonly keep?: number;
}

/** Strategies that let a digest stand in for what they leave out. */
const DIGESTING = new Set(["summarization", "hierarchical", "importance"]);

export const command = defineCommand<SummarizeOptions>({
  shares: ["session", "store", "window"],
  define: (command) => {
    command.option("--keep <messages>", "messages at the end that stay as they are, from now on", parseCount);
  },
  async run({ options, screen }) {
    const { keep } = options;
    const extra = (strategy: string) => {
      if (!DIGESTING.has(strategy)) throw withoutDigests(strategy);
      return keep === undefined ? undefined : { lockLast: keep };
    };
    const { session, receipt } = await withSession(
      options,
      async (opened) => ({ session: opened.id, receipt: await opened.compact({ force: true }) }),
      { extra, uses: ["summariser"] },
    );
    const data: Output<"context summarize"> = { session, receipt: receiptData(receipt) };
    const summary =
      receipt.replacedBy === undefined ? [] : ["", ...receipt.replacedBy.split("\n").map((line) => ` ${line}`)];
    return { data, lines: () => ["", ...receiptLines(receipt, screen), ...summary, ""] };
  },
});

const withoutDigests = (strategy: string): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `The session's strategy ${strategy} makes no summaries.`,
    hint: "Switch it over with --strategy hierarchical (or summarization, importance), or reduce it as it is with `varve context compress`.",
    details: { option: "--strategy", value: strategy },
  });
