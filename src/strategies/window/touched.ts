import type { EntryRun, Fate, Reach, ReceiptItem } from "../../compaction/receipt.js";
import type { Log } from "../../message/log.js";
import type { AnyTool } from "../../message/types.js";

/** An item of a receipt by positions: the first and the last of its entries. */
export interface Touched {
  readonly first: number;
  readonly last: number;
  readonly entries: number;
  readonly fate: Fate;
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly estimated: boolean;
  readonly digest?: string | undefined;
}

/** The most items that a receipt has: a cut may touch tens of thousands of entries. */
const MOST_ITEMS = 200;
/** Room for one item of each fate, for those that are told together. */
const SINGLE_ITEMS = MOST_ITEMS - 8;

/** Few items stand one by one; many are told as runs of neighbours, and the smallest of very many by their fate alone. */
export function folded(items: readonly Touched[]): readonly Touched[] {
  if (items.length <= MOST_ITEMS) return items;
  const runs = neighbours(items);
  if (runs.length <= MOST_ITEMS) return runs;
  const bySize = [...runs].sort((a, b) => savingOf(b) - savingOf(a));
  const rest = Map.groupBy(bySize.slice(SINGLE_ITEMS), ({ fate }) => fate);
  const together = [...rest.values()].map((group) => group.sort(byPosition).reduce(joined));
  return [...bySize.slice(0, SINGLE_ITEMS), ...together].sort(byPosition);
}

export const byPosition = (a: Touched, b: Touched): number => a.first - b.first;

export const savingOf = ({ tokensBefore, tokensAfter }: Pick<Touched, "tokensBefore" | "tokensAfter">): number =>
  tokensBefore - tokensAfter;

function neighbours(items: readonly Touched[]): Touched[] {
  const runs: Touched[] = [];
  for (const item of items) {
    const before = runs.at(-1);
    if (before !== undefined && isSame(before, item)) runs[runs.length - 1] = joined(before, item);
    else runs.push(item);
  }
  return runs;
}

const isSame = (a: Touched, b: Touched): boolean =>
  a.last + 1 === b.first && a.fate === b.fate && a.reason === b.reason && a.digest === b.digest;

function joined(a: Touched, b: Touched): Touched {
  return {
    first: a.first,
    last: Math.max(a.last, b.last),
    entries: a.entries + b.entries,
    fate: a.fate,
    reason: a.reason === b.reason ? a.reason : "for several reasons",
    tokensBefore: a.tokensBefore + b.tokensBefore,
    tokensAfter: a.tokensAfter + b.tokensAfter,
    estimated: a.estimated || b.estimated,
    digest: a.digest === b.digest ? a.digest : undefined,
  };
}

/** The tools by which the model itself can look into the log. */
export interface ContextReach {
  readonly expand: boolean;
  readonly search: boolean;
}

export function contextReach(tools: readonly AnyTool[] = []): ContextReach {
  const names = new Set(tools.flatMap(namesIn));
  return { expand: names.has("context_expand"), search: names.has("context_search") };
}

/** OpenAI wraps a definition in another object, Gemini several in one. */
function namesIn(tool: AnyTool): unknown[] {
  const { name, function: wrapped, functionDeclarations: several } = tool as Partial<Record<string, unknown>>;
  if (Array.isArray(several)) return several.flatMap(namesIn);
  return [name ?? (wrapped as { readonly name?: unknown } | undefined)?.name];
}

const SHOWN: ReadonlySet<Fate> = new Set<Fate>(["moved", "kept", "unpinned"]);
/** The line that is shown in their place names the entry. */
const NAMED: ReadonlySet<Fate> = new Set<Fate>(["cleared", "superseded"]);

function reachOf({ fate, digest }: Touched, { expand, search }: ContextReach): Reach {
  if (SHOWN.has(fate)) return "view";
  const canExpand = expand && (digest !== undefined || NAMED.has(fate));
  return search || canExpand ? "model" : "application";
}

export function itemOf(touched: Touched, log: Log, reach: ContextReach): ReceiptItem {
  const { fate, reason, tokensBefore, tokensAfter, estimated, digest } = touched;
  return {
    ...runOf(touched, log),
    fate,
    reason,
    tokensBefore,
    tokensAfter,
    estimated,
    reach: reachOf(touched, reach),
    ...(digest !== undefined && { digest }),
  };
}

const runOf = ({ first, last, entries }: Pick<Touched, "first" | "last" | "entries">, log: Log): EntryRun => ({
  from: log.entries[first]!.id,
  to: log.entries[last]!.id,
  entries,
});

/** The runs of entries that only the application can get at. */
export function unreachableOf(items: readonly Touched[], log: Log, reach: ContextReach): EntryRun[] {
  const lost = items.filter((item) => reachOf(item, reach) === "application");
  const same = lost.map((item) => ({ ...item, fate: "left-out" as const, reason: "", digest: undefined }));
  return neighbours(same).map((run) => runOf(run, log));
}
