import type { AloneSettings } from "../alone.js";
import type { BuiltInStrategy } from "../strategy.js";
import { ALONE, ANY, checkedOptions, DIGESTS, type OptionRules, PROSE, TAIL } from "./check-options.js";
import { type LayersPolicy, layeredStrategy } from "./layered.js";
import { duePolicy, type ThresholdOptions } from "./thresholds.js";

export interface HierarchicalOptions extends AloneSettings, Partial<LayersPolicy> {
  /** Messages at the end that a cut spares as long as they fit; 2 unless given. */
  readonly lockLast?: number;
  /** Share of the usable tokens that one tool result may take; 0.25 unless given. */
  readonly resultShare?: number;
  /** Cuts once the history shown in full exceeds any of these, also where it fits; about half of it stays. */
  readonly after?: ThresholdOptions["after"];
}

const DEFAULTS: LayersPolicy = { digestShare: 0.7, largestLeafShare: 0.2, fanout: 4, trimShare: 0.9 };

const RULES: OptionRules<HierarchicalOptions> = { ...ALONE, ...TAIL, ...DIGESTS, ...PROSE, after: ANY };

/**
 * Layers of digests over an append-only log: what leaves the window is digested once, and old digests are merged into
 * coarser ones, so that a view holds the recent past in full and the rest in layers, and grows with the logarithm of
 * the log. Every digest can be expanded to the original.
 *
 * @example
 * ```ts
 * const session = await varve.session("ann:coder:1", { window: 128_000, strategy: "hierarchical" });
 * ```
 */
export function hierarchical(options: HierarchicalOptions = {}): BuiltInStrategy {
  const given = checkedOptions("hierarchical", options, RULES);
  const due = duePolicy({ after: given.after });
  return layeredStrategy("hierarchical", given, {
    layers: { ...DEFAULTS, ...given },
    due,
    withSummariser: (summariser) => hierarchical({ ...given, summariser }),
  });
}
