import { messageText } from "../../../message/content.js";
import type { Session } from "../../../session/session.js";
import type { SessionSummary } from "../../../session/session-summary.js";
import type { ViewAccount } from "../../../session/view-account.js";
import { defineCommand } from "../../command.js";
import { noSession, type SessionChoice, sessionIdOf, withStore } from "../../open.js";
import type { Output } from "../../output/schemas.js";
import { scoreLines } from "../../output/score-lines.js";
import { segmentsOf } from "../../output/segments.js";
import { statusLines } from "../../output/status-lines.js";

interface StatusOptions extends SessionChoice {
  readonly fresh?: boolean;
  readonly scores?: boolean;
}

/** The latest view as its program made it, told from what is stored; where there is none to tell of, one is made. */
export const command = defineCommand<StatusOptions>({
  shares: ["session", "store", "window"],
  define: (command) => {
    command
      .option("--fresh", "make a view for it, without the program's system prompt and tools")
      .option("--scores", "how important each entry is and why, where the strategy goes by that");
  },
  async run({ options, screen }) {
    const summary = await summaryOf(options);
    const { fresh, window, model, strategy } = options;
    const isAsked = fresh || window !== undefined || model !== undefined || strategy !== undefined;
    const recorded = isAsked ? undefined : summary.latest;
    const status = statusData(summary, recorded ?? (await madeAccount(options)), recorded !== undefined);
    if (options.scores !== true) return { data: status, lines: () => statusLines(status, screen) };
    const { scores, texts } = await scoresOf(options);
    const data: Output<"context status"> = { ...status, scores: scores ?? null };
    return { data, lines: () => [...statusLines(data, screen), ...scoreLines(scores, texts, screen)] };
  },
});

const summaryOf = (options: StatusOptions): Promise<SessionSummary> =>
  withStore(options, async (store) => {
    const { readSummary } = await import("../../../session/session-summary.js");
    const id = await sessionIdOf(options, store);
    const summary = await readSummary(store, id);
    if (summary === undefined) throw noSession(id);
    return summary;
  });

/** The account of a view that is made for it and changes nothing. */
async function madeAccount(options: StatusOptions): Promise<ViewAccount> {
  const { withSession } = await import("../../open-session.js");
  return withSession(options, (session) => session.preview(), { look: true });
}

/** The scores, and what the entries say. */
async function scoresOf(options: StatusOptions) {
  const { withSession } = await import("../../open-session.js");
  const read = async (session: Session) => ({
    scores: session.scores(),
    texts: new Map(session.entries().map(({ id, message }) => [id, messageText(message)])),
  });
  return withSession(options, read, { look: true });
}

function statusData(summary: SessionSummary, account: ViewAccount, recorded: boolean): Output<"context status"> {
  const { info, pins, checkpoints, summariser = null } = summary;
  const { strategy, budget, tokens, blocks, leftOut, counter, errorBound, factor, reports } = account;
  const { window, reserve, usable, trigger, target } = budget;
  const { id, entries, created, updated, bytes } = info;
  const since = Math.max(0, info.head - account.head);
  const { views, sent, repeated } = account;
  return {
    session: { id, entries, created, updated, bytes },
    strategy,
    recorded,
    budget: { window, reserve, usable, trigger, target },
    tokens,
    percentUsed: tokens / usable,
    blocks: blocks.slice(),
    segments: segmentsOf(account),
    leftOut,
    counter: { name: counter, errorBound, factor, reports },
    cache: recorded ? { views, sent, repeated, share: sent === 0 ? 0 : repeated / sent } : null,
    next: nextCompaction(account, since),
    summariser,
    since,
    pins: pins.slice(),
    checkpoints: checkpoints.length,
  };
}

/** How far the next compaction is off, in tokens and, at the mean size of those shown, in entries. */
function nextCompaction({ tokens, budget: { trigger }, nextCut }: ViewAccount, since: number) {
  const { tokens: tokensLeft, entries } = nextCut ?? { tokens: Math.max(0, trigger - tokens) };
  return { trigger, tokensLeft, entriesLeft: entries === undefined ? null : Math.max(0, entries - since) };
}
