import type { Log } from "../message/log.js";
import type { TokenCounter } from "../tokens/counter.js";
import { type Digest, type DigestHead, type DigestItem, type NamedHead, renderItems } from "./digest.js";
import { extractItems } from "./extract.js";
import { IdentifierIndex } from "./identifier-index.js";
import { outcomesIn } from "./outcomes.js";
import { type Appraisal, chooseLines, worthIn } from "./worth.js";

export interface LayersOptions {
  readonly log: Log;
  readonly counter: TokenCounter;
  /** Tokens that a digest made from messages may take; fewer where they have fewer themselves. */
  readonly largestLeaf: number;
  /** So many digests of one level are merged into one of the next. */
  readonly fanout: number;
  /** Share of the room that is left in use when digests have outgrown it: trimming is seldom, and in large steps. */
  readonly trimShare: number;
  /** How many digests of the log have ids already; none unless given. */
  readonly numbered?: number;
  /** What is known of the log's identifiers, where somebody else reads it as well; it keeps its passages then. */
  readonly index?: IdentifierIndex;
}

const MARGIN = 40;

/**
 * Digests in layers, like the levels of a log-structured merge tree: each covers a run of the log, and as many of one
 * level as the fanout are merged into one of the next. A message is digested once and then merged a number of times
 * that grows with the logarithm of the log. Where digests outgrow their room, the least likely lines go.
 */
export class Layers {
  readonly #options: LayersOptions;
  readonly #index: IdentifierIndex;
  readonly #all = new Map<string, Digest>();
  #frontier: readonly Digest[] = [];
  #covered: number;
  #made: number;

  constructor(options: LayersOptions) {
    this.#options = options;
    this.#covered = options.log.start;
    this.#made = options.numbered ?? 0;
    this.#index = options.index ?? new IdentifierIndex(options.log.start);
  }

  /** The digests that together cover the log up to the cut, oldest first. */
  get frontier(): readonly Digest[] {
    return this.#frontier;
  }

  get tokens(): number {
    return this.#frontier.reduce((sum, digest) => sum + digest.tokens, 0);
  }

  /** How many ids are given away, those of before included. */
  get numbered(): number {
    return this.#made;
  }

  /** What the layers hold now; give it to `restore` to go back to it. */
  get state(): LayersState {
    return { frontier: this.#frontier, covered: this.#covered, made: this.#made };
  }

  /** After a trial the ids given in it are free again; otherwise none is used twice, for somebody may know it. */
  restore({ frontier, covered, made }: LayersState, trial = false): void {
    this.#frontier = frontier;
    this.#covered = covered;
    for (const digest of frontier) this.#know(digest);
    this.#made = Math.max(this.#made, made);
    if (!trial) return;
    for (; this.#made > made; this.#made--) this.#all.delete(idOf(this.#made));
  }

  /** A state from a store has digests that were made by another process. */
  #know(digest: Digest): void {
    if (this.#all.has(digest.id)) return;
    this.#all.set(digest.id, digest);
    for (const head of digest.merged) {
      const text = { text: "", tokens: 0, items: [], merged: [], children: [] };
      if (!this.#all.has(head.id)) this.#all.set(head.id, { ...head, ...text, level: 0, madeBy: digest.madeBy });
    }
  }

  digest(id: string): Digest | undefined {
    return this.#all.get(id);
  }

  /** Covers the log up to a cut, in at most so many tokens. */
  cover(cut: number, maxTokens: number, largestLeaf = this.#options.largestLeaf): void {
    const { log } = this.#options;
    this.#index.readTo(log.entries.length, log);
    const worth = this.#worth(cut);
    if (cut > this.#covered) this.#frontier = [...this.#frontier, this.#leaf(cut, largestLeaf, worth)];
    this.#covered = cut;
    while (this.#run() !== undefined) this.#merge(worth);
    if (this.tokens > maxTokens) this.#trim(maxTokens * this.#options.trimShare, worth);
  }

  /**
   * The frontier cut down to fewer tokens, for a view that has no more room just now. The layers stay as they are: what
   * is left out here comes back when there is room again.
   */
  trimmed(maxTokens: number): Pick<Digest, "id" | "from" | "to" | "text" | "tokens">[] {
    const { counter } = this.#options;
    const kept = this.#fitting(maxTokens, this.#worth(this.#covered));
    return this.#frontier.flatMap((digest) => {
      const items = kept.get(digest);
      if (items === undefined) return [];
      const text = renderItems(this.#named(digest), items);
      const { id, from, to } = digest;
      return [{ id, from, to, text, tokens: counter.message({ role: "system", content: text }) }];
    });
  }

  /** The oldest run of neighbours of one level that is long enough to be merged. */
  #run(): { at: number; count: number } | undefined {
    const { fanout } = this.#options;
    for (let at = 0; at + fanout <= this.#frontier.length; at++) {
      const run = this.#frontier.slice(at, at + fanout);
      if (run.every(({ level }) => level === run[0]!.level)) return { at, count: fanout };
    }
    return undefined;
  }

  #merge(worth: Appraisal): void {
    const { at, count } = this.#run()!;
    const merged = this.#frontier.slice(at, at + count);
    const digest = this.#make(
      merged.flatMap(({ items }) => items),
      {
        id: this.#nextId(),
        from: merged[0]!.from,
        to: merged.at(-1)!.to,
        level: merged[0]!.level + 1,
        maxTokens: merged.reduce((sum, { tokens }) => sum + tokens, 0),
        children: merged.map(({ id }) => id),
        merged: merged.flatMap(({ id, from, to, merged: earlier }) => [...earlier, { id, from, to }]),
        worth,
      },
    );
    this.#frontier = this.#frontier.toSpliced(at, count, digest);
  }

  /** Leaves the least likely lines of all digests out, so that what is left fits. */
  #trim(maxTokens: number, worth: Appraisal): void {
    const kept = this.#fitting(maxTokens, worth);
    this.#frontier = this.#frontier.map((digest) =>
      this.#make(kept.get(digest) ?? [], { ...digest, maxTokens: Number.POSITIVE_INFINITY, worth }),
    );
  }

  #fitting(maxTokens: number, worth: Appraisal): Map<Digest, DigestItem[]> {
    const all = this.#frontier.flatMap((digest) => digest.items.map((item) => ({ ...item, digest, item })));
    const kept = new Map<Digest, DigestItem[]>();
    for (const { digest, item } of chooseLines(all, maxTokens - MARGIN * this.#frontier.length, worth)) {
      kept.set(digest, [...(kept.get(digest) ?? []), item]);
    }
    return kept;
  }

  #leaf(cut: number, largestLeaf: number, worth: Appraisal): Digest {
    const { log, counter } = this.#options;
    const from = this.#covered;
    const items: DigestItem[] = [];
    const messages = log.entries.slice(from, cut).map(({ message }) => message);
    const outcomes = outcomesIn(messages);
    let tokens = 0;
    for (let position = from; position < cut; position++) {
      const passages = this.#index.passagesAt(position, log);
      items.push(...extractItems({ message: messages[position - from]!, position, passages, counter, outcomes }));
      tokens += log.entries[position]!.tokens ?? 0;
    }
    if (this.#options.index === undefined) this.#index.forget(from, cut);
    const maxTokens = Math.min(largestLeaf, Math.max(MARGIN * 2, tokens));
    return this.#make(items, {
      id: this.#nextId(),
      from,
      to: cut,
      level: 0,
      maxTokens,
      children: [],
      merged: [],
      worth,
    });
  }

  #make(candidates: readonly DigestItem[], plan: MakePlan): Digest {
    const { id, from, to, level, children, merged } = plan;
    const items = chooseLines(distinct(candidates), plan.maxTokens - MARGIN, plan.worth);
    const text = renderItems(this.#named({ id, from, to }), items);
    const tokens = this.#options.counter.message({ role: "system", content: text });
    const digest: Digest = { id, level, from, to, text, tokens, items, madeBy: "extractive", children, merged };
    this.#all.set(id, digest);
    return digest;
  }

  #named({ id, from, to }: DigestHead): NamedHead {
    const { entries } = this.#options.log;
    return { id, from, to, first: entries[from]!.id, last: entries[to - 1]!.id };
  }

  #nextId(): string {
    this.#made++;
    return idOf(this.#made);
  }

  /** What an identifier is worth to a view whose tail starts at the cut: nothing where the tail shows it. */
  #worth(cut: number): Appraisal {
    const { log } = this.#options;
    const shown = new Set<string>();
    for (let position = cut; position < log.entries.length; position++) {
      for (const { identifiers } of this.#index.passagesAt(position, log))
        for (const each of identifiers) shown.add(each);
    }
    const now = log.entries.length;
    return { worth: worthIn({ index: this.#index, now, shown }), now };
  }
}

const idOf = (made: number): string => `d${made}`;

export interface LayersState {
  readonly frontier: readonly Digest[];
  readonly covered: number;
  /** How many digests had been made. */
  readonly made: number;
}

/** Of lines that say the same the latest is kept. */
function distinct(items: readonly DigestItem[]): DigestItem[] {
  const latest = new Map(items.map((item) => [item.text, item]));
  return items.filter((item) => latest.get(item.text) === item);
}

interface MakePlan {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly level: number;
  readonly maxTokens: number;
  readonly children: readonly string[];
  readonly merged: Digest["merged"];
  readonly worth: Appraisal;
}
