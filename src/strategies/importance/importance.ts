import { ALONE, ANY, checkedOptions, DIGESTS, type OptionRules, PROSE, SHARE_OR_NONE, TAIL } from "../check-options.js";
import type { BuiltInStrategy } from "../strategy.js";
import { duePolicy, type ThresholdOptions } from "../summarization/thresholds.js";
import type { StandInInput } from "../window/stand-in.js";
import { WindowViewer } from "../window/viewer.js";
import { type AloneSettings, proseTaking, windowStrategy } from "../window-strategy.js";
import { type ImportancePolicy, KeptExchanges } from "./kept-exchanges.js";

export interface ImportanceOptions extends AloneSettings, Partial<ImportancePolicy> {
  /** Messages at the end that a cut spares as long as they fit; 2 unless given. */
  readonly lockLast?: number;
  /** Share of the usable tokens that one tool result may take; 0.25 unless given. */
  readonly resultShare?: number;
  /** Cuts once the history shown in full exceeds any of these, also where it fits; about half of it stays. */
  readonly after?: ThresholdOptions["after"];
}

const DEFAULTS: ImportancePolicy = {
  threshold: 0.6,
  keptShare: 0.2,
  digestShare: 0.4,
  largestLeafShare: 0.15,
  fanout: 6,
  trimShare: 0.85,
};

const SCORES = { threshold: SHARE_OR_NONE, keptShare: SHARE_OR_NONE };
const RULES: OptionRules<ImportanceOptions> = { ...ALONE, ...TAIL, ...DIGESTS, ...PROSE, ...SCORES, after: ANY };

/**
 * Scores every exchange by the chance that something in it is used again, keeps the important ones in full and the
 * rest as digests. Pinned exchanges are always kept.
 *
 * @example
 * ```ts
 * const session = await varve.session("ann:coder:1", { window: 64_000, strategy: importance({ threshold: 0.7 }) });
 * ```
 */
export function importance(options: ImportanceOptions = {}): BuiltInStrategy {
  const given = checkedOptions("importance", options, RULES);
  const { lockLast = 2, resultShare = 0.25 } = given;
  const policy: ImportancePolicy = { ...DEFAULTS, ...given };
  const due = duePolicy({ after: given.after });
  const strategy = windowStrategy("importance", given, (input) => {
    const standIn = (scene: StandInInput) => new KeptExchanges(scene, policy);
    return new WindowViewer(input, { name: "importance", lockLast, resultShare, standIn, ...due });
  });
  return given.summariser === undefined
    ? proseTaking(strategy, (summariser) => importance({ ...given, summariser }))
    : strategy;
}
