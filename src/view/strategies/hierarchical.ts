import { z } from "zod";
import type { AloneSettings } from "../alone.js";
import type { BuiltInStrategy } from "../strategy.js";
import { checkedOptions } from "./check-options.js";
import { digestFields, layeredFields, layeredStrategy } from "./layered.js";

const fields = z.strictObject({ ...layeredFields, ...digestFields });
export type HierarchicalOptions = AloneSettings & Readonly<z.input<typeof fields>>;

const DEFAULTS = { digestShare: 0.7, largestLeafShare: 0.2, fanout: 4, trimShare: 0.9 };

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
  const given = checkedOptions("hierarchical", fields, options);
  return layeredStrategy("hierarchical", given, {
    layers: { ...DEFAULTS, ...given },
    withSummariser: (summariser) => hierarchical({ ...given, summariser }),
  });
}
