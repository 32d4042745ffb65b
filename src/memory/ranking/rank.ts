import type { MemoryHit, Place } from "../../store/memories/memories.js";

/**
 * The order of candidates. Each has evidence of its own, from its words and its meaning; in a conversation the
 * neighbours' evidence counts too, since a question and its answer are two messages and only one of them holds the
 * words that are asked for. Speaker and time multiply the sum.
 */
export interface Evidence {
  /** BM25 of the best passage, less where it is the best of many; the best candidate's being 1. */
  readonly words: number;
  /** Cosine of the best passage, less where it is the best of many; the best candidate's being 1. */
  readonly meaning: number;
  /** What the messages around it add. */
  readonly neighbours: number;
  /** 1, or more where the question asks for what this speaker said. */
  readonly speaker: number;
  /** 1, or more where the question names this time; less where a policy lets memories fade. */
  readonly time: number;
  /** 1, or less for a text that says of itself that it is not to be relied on. */
  readonly certainty: number;
  /** (1.3 words + meaning + neighbours) / 2.3 * speaker * time * certainty. */
  readonly score: number;
}

export interface Ranked extends Place {
  /** Absent for one that was found through its neighbours alone. */
  readonly hit: MemoryHit | undefined;
  readonly evidence: Evidence;
}

/** What a question prefers besides its words. */
export interface Preferences {
  speaker(speaker: string): number;
  time(time: number, until: number | undefined): number;
}

const WORDS = 1.3;
const WHOLE = WORDS + 1;
/** A message and its facts have a few passages; how much less the best one counts as there are more. */
const FEW = 3;
const MANY = 0.4;
const LEAST = 0.6;
/** What a neighbour's own evidence counts, next to it and two away. */
const NEIGHBOURS = [0.4, 0.2] as const;

/** All candidates and their neighbours, by score. Neighbours that are no candidates have no preferences yet. */
export function rank(hits: readonly MemoryHit[], preferences: Preferences): Ranked[] {
  const own = ownEvidence(hits);
  const around = neighbourEvidence(own);
  const known = new Set(own.keys());
  const ranked = [...own].map(([key, { hit, words, meaning }]) => {
    const evidence = {
      words,
      meaning,
      neighbours: around.get(key)?.score ?? 0,
      certainty: 1,
      ...preferred(hit, preferences),
    };
    return { ...placeOf(hit), hit, evidence: scored(evidence) };
  });
  const found = [...around].filter(([key]) => !known.has(key)).map(([, { place, score }]) => beside(place, score));
  return [...ranked, ...found].sort(byScore);
}

/** The same with the preferences for a neighbour whose row has been fetched since. */
export function rankedNeighbour(ranked: Ranked, hit: MemoryHit, preferences: Preferences): Ranked {
  return { ...ranked, hit, evidence: scored({ ...ranked.evidence, ...preferred(hit, preferences) }) };
}

/** Best first; equal ones in the order of their conversation. */
export const byScore = (a: Ranked, b: Ranked): number =>
  b.evidence.score - a.evidence.score || a.place - b.place || (a.thread < b.thread ? -1 : 1);

/** One text for a place. */
export const placeKey = ({ scope, thread, place }: Place): string => `${scope}\n${thread}\n${place}`;

interface Own {
  readonly hit: MemoryHit;
  readonly words: number;
  readonly meaning: number;
}

function ownEvidence(hits: readonly MemoryHit[]): Map<string, Own> {
  const bestWords = Math.max(...hits.map((hit) => hit.words * bestOf(hit)), Number.MIN_VALUE);
  const bestCosines = bestByEmbedder(hits);
  return new Map(
    hits.map((hit) => {
      const share = bestOf(hit);
      const shares = Object.entries(hit.cosines).map(([embedder, cosine]) => cosine / bestCosines.get(embedder)!);
      const meaning = share * Math.max(0, ...shares);
      return [placeKey(hit), { hit, words: (share * hit.words) / bestWords, meaning }];
    }),
  );
}

/**
 * What the best passage of a text counts: of many, one is good by chance, and long texts would come first by that. Very long
 * ones lose no more, for they may be asked for as well.
 */
const bestOf = ({ passages }: MemoryHit): number =>
  Math.max(LEAST, 1 / (1 + MANY * Math.log(Math.max(1, passages / FEW))));

function bestByEmbedder(hits: readonly MemoryHit[]): Map<string, number> {
  const best = new Map<string, number>();
  for (const hit of hits) {
    const share = bestOf(hit);
    for (const [embedder, cosine] of Object.entries(hit.cosines)) {
      best.set(embedder, Math.max(share * cosine, best.get(embedder) ?? Number.MIN_VALUE));
    }
  }
  return best;
}

interface Around {
  readonly place: Place;
  score: number;
}

function neighbourEvidence(own: ReadonlyMap<string, Own>): Map<string, Around> {
  const around = new Map<string, Around>();
  for (const { hit, words, meaning } of own.values()) {
    if (hit.thread === "") continue;
    for (const [away, weight] of NEIGHBOURS.entries()) {
      for (const place of [hit.place - away - 1, hit.place + away + 1]) {
        if (place >= 0) add(around, { ...placeOf(hit), place }, weight * (WORDS * words + meaning));
      }
    }
  }
  return around;
}

function add(around: Map<string, Around>, place: Place, score: number): void {
  const key = placeKey(place);
  const before = around.get(key);
  if (before === undefined) around.set(key, { place, score });
  else before.score += score;
}

const placeOf = ({ scope, thread, place }: Place): Place => ({ scope, thread, place });

const preferred = ({ speaker, time, until }: MemoryHit, preferences: Preferences) => ({
  speaker: preferences.speaker(speaker),
  time: preferences.time(time, until),
});

const beside = (place: Place, neighbours: number): Ranked => ({
  ...place,
  hit: undefined,
  evidence: scored({ words: 0, meaning: 0, neighbours, speaker: 1, time: 1, certainty: 1 }),
});

/** The same with less certainty. */
export const doubted = (ranked: Ranked, certainty: number): Ranked => ({
  ...ranked,
  evidence: scored({ ...ranked.evidence, certainty }),
});

function scored(evidence: Omit<Evidence, "score">): Evidence {
  const { words, meaning, neighbours, speaker, time, certainty } = evidence;
  const score = ((WORDS * words + meaning + neighbours) / WHOLE) * speaker * time * certainty;
  return { words, meaning, neighbours, speaker, time, certainty, score };
}
