/**
 * Digests in layers, like the levels of a log-structured merge tree: each covers a run of the log, and as many of one
 * level as the fanout are merged into one of the next. A message is digested once and then merged a number of times
 * that grows with the logarithm of the log. Where digests outgrow their room, the least likely lines go.
 */
import type { Entry } from "../message/entry.js";
import type { Log } from "../message/log.js";
import type { TokenCounter } from "../tokens/counter.js";
import { ownText } from "../tokens/own-text.js";
import { type Digest, type DigestItem, renderItems } from "./digest.js";
import { extractItems } from "./extract.js";
import { GENERATION, type IdentifierIndex } from "./identifier-index.js";
import { outcomesIn } from "./outcomes.js";
import { type Appraisal, chooseLines, worthIn } from "./worth.js";

/** The digests that together cover the log up to a position, oldest first. Plain data. */
export interface Layers {
  readonly covered: number;
  readonly digests: readonly Digest[];
}

export interface LayersInput {
  readonly log: Log;
  readonly counter: TokenCounter;
  /** What is known of the log's identifiers. */
  readonly index: IdentifierIndex;
  /** So many digests of one level are merged into one of the next. */
  readonly fanout: number;
  /** Tokens that a digest made from messages may take; fewer where they have fewer themselves. */
  readonly leaf: number;
  /** Tokens that all of them may take, and down to which share of that they are trimmed: seldom, and in large steps. */
  readonly room: number;
  readonly trimShare: number;
}

const MARGIN = 40;

export const layerTokens = ({ digests }: Layers): number => digests.reduce((sum, { tokens }) => sum + tokens, 0);

/** The layers with the log covered up to a cut. */
export function coverTo(layers: Layers, cut: number, input: LayersInput): Layers {
  const { log, index, room, trimShare } = input;
  index.readTo(log.entries.length, log);
  const worth = worthAt(cut, input);
  let digests = layers.digests;
  if (cut > layers.covered) digests = [...digests, ...leaves(layers.covered, cut, { ...input, worth })];
  digests = merged(digests, { ...input, worth });
  const covered = Math.max(cut, layers.covered);
  if (layerTokens({ covered, digests }) <= room) return { covered, digests };
  return { covered, digests: trimmed(digests, room * trimShare, { ...input, worth }) };
}

/** The same in fewer tokens, for a view that has no more room just now. */
export function layersWithin(layers: Layers, room: number, input: LayersInput): Layers {
  if (layerTokens(layers) <= room) return layers;
  const worth = worthAt(layers.covered, input);
  return {
    ...layers,
    digests: trimmed(layers.digests, room, { ...input, worth }).filter(({ items }) => items.length > 0),
  };
}

interface Making extends LayersInput {
  readonly worth: Appraisal;
}

function leaves(from: number, cut: number, making: Making): Digest[] {
  // Of a stretch that was never shown the newest messages are read: the rest can be searched.
  const start = Math.max(from, cut - GENERATION);
  const unread = start > from ? [made([], { from, to: start, level: 0, maxTokens: MARGIN }, making)] : [];
  return [...unread, leaf(start, cut, making)];
}

function leaf(from: number, cut: number, making: Making): Digest {
  const { log, counter, index } = making;
  const entries = log.entries.slice(from, cut);
  const messages = entries.map(({ message }) => message);
  const outcomes = outcomesIn(messages);
  const items = messages.flatMap((message, place) => {
    const position = from + place;
    return extractItems({ message, position, passages: index.passagesAt(position, log), counter, outcomes });
  });
  index.forget(cut);
  const maxTokens = Math.max(Math.min(making.leaf, MARGIN * 2), tokensUpTo(making.leaf, entries, counter));
  const digest = made(items, { from, to: cut, level: 0, maxTokens }, making);
  return { ...digest, items: digest.items.map(ownItem) };
}

/** What a digest keeps of long messages must not keep all of them in memory. */
const ownItem = (item: DigestItem): DigestItem => ({
  ...item,
  text: ownText(item.text),
  identifiers: item.identifiers.map(ownText),
});

/** Tokens of entries, counted as far as they matter. */
function tokensUpTo(most: number, entries: readonly Entry[], counter: TokenCounter): number {
  let tokens = 0;
  for (const entry of entries) {
    tokens += entry.tokens ?? counter.message(entry.message);
    if (tokens >= most) return most;
  }
  return tokens;
}

/** Merges the oldest run of neighbours of one level that is long enough, until there is none. */
function merged(digests: readonly Digest[], making: Making): readonly Digest[] {
  const { fanout } = making;
  const at = digests.findIndex((first, place) => {
    const run = digests.slice(place, place + fanout);
    return run.length === fanout && run.every(({ level }) => level === first.level);
  });
  if (at < 0) return digests;
  const run = digests.slice(at, at + fanout);
  const { from, level } = run[0]!;
  const maxTokens = run.reduce((sum, { tokens }) => sum + tokens, 0);
  const items = run.flatMap((digest) => digest.items);
  const digest = made(items, { from, to: run.at(-1)!.to, level: level + 1, maxTokens }, making);
  return merged(digests.toSpliced(at, fanout, digest), making);
}

/** Leaves the least likely lines of all digests out, so that what is left fits. */
function trimmed(digests: readonly Digest[], maxTokens: number, making: Making): Digest[] {
  const all = digests.flatMap((digest) => digest.items.map((item) => ({ ...item, digest, item })));
  const kept = Map.groupBy(chooseLines(all, maxTokens - MARGIN * digests.length, making.worth), ({ digest }) => digest);
  return digests.map((digest) => {
    const items = (kept.get(digest) ?? []).map(({ item }) => item);
    return made(items, { ...digest, maxTokens: Number.POSITIVE_INFINITY }, making);
  });
}

interface Range extends Pick<Digest, "from" | "to" | "level"> {
  readonly maxTokens: number;
}

/** A digest's id names the entries that it covers, and so opens them, whoever asks. */
function made(
  candidates: readonly DigestItem[],
  { from, to, level, maxTokens }: Range,
  { log, counter, worth }: Making,
): Digest {
  const id = `${log.entries[from]!.id}-${log.entries[to - 1]!.id}`;
  const items = chooseLines(distinct(candidates), maxTokens - MARGIN, worth);
  const text = renderItems({ id, from, to }, items);
  return { id, level, from, to, text, tokens: counter.text(text) + 1, items };
}

/** What an identifier is worth to a view whose tail starts at the cut: nothing where the tail shows it. */
function worthAt(cut: number, { log, index }: LayersInput): Appraisal {
  const shown = new Set<string>();
  for (let position = cut; position < log.entries.length; position++)
    for (const { identifiers } of index.passagesAt(position, log)) for (const each of identifiers) shown.add(each);
  const now = log.entries.length;
  return { worth: worthIn({ index, now, shown }), now };
}

/** Of lines that say the same the latest is kept. */
function distinct(items: readonly DigestItem[]): DigestItem[] {
  const latest = new Map(items.map((item) => [item.text, item]));
  return items.filter((item) => latest.get(item.text) === item);
}
