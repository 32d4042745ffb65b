import { z } from "zod";
import type { AloneSettings } from "../alone.js";
import type { BuiltInStrategy } from "../strategy.js";
import { checkedOptions } from "./check-options.js";
import { layeredFields, layeredStrategy, notesFields } from "./layered.js";

const fields = z.strictObject({ ...layeredFields, ...notesFields });
export type HierarchicalOptions = AloneSettings & Readonly<z.input<typeof fields>>;

const DEFAULTS = { digestShare: 0.66, largestLeafShare: 0.2 };

/**
 * Notes on what left the window, in the larger part of it: a record of the work by stretch, in order of time, beside the
 * recent past in full. Each stretch can be expanded to the original.
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
