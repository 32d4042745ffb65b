/**
 * Where memories live: texts with their scope, their passages as search terms and vectors, and keys to look them up by.
 * What a memory says and when it counts is for `memory/` to know; here it is a row with a body.
 *
 * What every driver promises, and `memoriesChecks` of `varve/testing` shows:
 * - A write is all or nothing, and durable when it resolves, with all that belongs to a row: passages, vectors, keys.
 * - Two writers on one version of a scope: one is carried out, the other is told that it is stale.
 * - A reader never sees a row outside the scope that it names.
 * - What was removed is found by no way of asking.
 */
export interface Memories {
  /** Rows that one change should remove at most; 200 unless given. More where a removal costs as much as what stays. */
  readonly mostRemoved?: number;
  /** Carries a change out, or says that somebody else was first. */
  write(change: MemoryChange): Promise<MemoryOutcome>;
  /** The rows of a scope with one of these keys, and the version of the scope's own writes at that moment. */
  find(scope: ScopeParts, keys: readonly string[]): Promise<Found>;
  /** The rows with these ids that the scope sees, in the order of the ids. */
  get(scope: ScopeParts, ids: readonly string[]): Promise<readonly MemoryRow[]>;
  /** The rows that stand at these places of their conversations, as far as there are such. */
  at(places: readonly Place[]): Promise<readonly MemoryRow[]>;
  /** The rows that a scope sees, in the order in which they were first written. */
  list(scope: ScopeParts, options?: MemoryListOptions): Promise<MemoryPage>;
  /** The best candidates of a scope for a question, by words and by vectors, in no order. */
  search(scope: ScopeParts, question: MemoryQuestion): Promise<readonly MemoryHit[]>;
  /** By embedder name: how many rows have vectors of it, of all scopes. Rows without any are counted under "". */
  embedders(): Promise<ReadonlyMap<string, number>>;
  /** Rows of all scopes, in the order of their ids, that have no vectors of an embedder. */
  without(
    embedder: string,
    options: { readonly after?: string; readonly limit: number },
  ): Promise<readonly MemoryRow[]>;
  /** Adds vectors to rows whose body is still the one they were made from; the others are left alone. */
  addVectors(embedder: string, vectors: readonly RowVectors[]): Promise<void>;
  /** Removes all vectors of an embedder. */
  dropVectors(embedder: string): Promise<void>;
  /**
   * Lets what was removed leave the place where the store is kept, and looks for texts there as somebody would who has its
   * files: a text that rows or sessions still have is passed over. A driver without the method keeps what it shows, alone.
   */
  erase?(texts: readonly string[]): Promise<Erasure>;
  /** What is there that belongs to no row, and, where asked, removes it. */
  orphans(options?: { readonly remove?: boolean }): Promise<Orphans>;
}

/** A reader sees what was stored with the same value in every part that it names. */
export interface ScopeParts {
  readonly tenant?: string;
  readonly user?: string;
  readonly agent?: string;
  readonly project?: string;
  readonly session?: string;
  /** A reader sees what has all of these. */
  readonly tags?: readonly string[];
}

/** The parts of a scope that own a memory, in the order in which they are written. */
export const OWNERS = ["tenant", "user", "agent", "project", "session"] as const;

type Owner = (typeof OWNERS)[number];

/** Whose memories: at least one owner is named. */
export type Scope = ScopeParts & { [Key in Owner]: { readonly [Named in Key]: string } }[Owner];

/** The owners as one text, the same for equal scopes. */
export const scopeKey = (scope: ScopeParts): string => JSON.stringify(OWNERS.map((owner) => scope[owner] ?? null));

/** The scope that a key was made of, without tags. */
export function scopeOf(key: string): Scope {
  const values: readonly (string | null)[] = JSON.parse(key);
  const owners: ScopeParts = Object.fromEntries(
    OWNERS.flatMap((owner, at) => (values[at] == null ? [] : [[owner, values[at]]])),
  );
  return owners as Scope;
}

/** Whether what was stored under `stored` is seen by a reader of `scope`. */
export const sees = (scope: ScopeParts, stored: ScopeParts): boolean =>
  OWNERS.every((owner) => scope[owner] === undefined || scope[owner] === stored[owner]) &&
  (scope.tags ?? []).every((tag) => stored.tags?.includes(tag));

/** A row without what it is searched by. */
export interface MemoryRow extends Place {
  /** Unique in the store. */
  readonly id: string;
  readonly tags: readonly string[];
  /** Milliseconds since the epoch: when it was said. */
  readonly time: number;
  /** Milliseconds since the epoch: it no longer holds since then. */
  readonly until: number | undefined;
  /** Who said it: "user", "assistant", a name; "" where nobody did. */
  readonly speaker: string;
  /** What it can be looked up by. */
  readonly keys: readonly string[];
  /** JSON, opaque here. */
  readonly body: string;
}

/** Where a row stands: neighbours in a conversation differ by one in `place`. */
export interface Place {
  /** `scopeKey` of its owners. */
  readonly scope: string;
  /** The conversation; "" for a text that is part of none. */
  readonly thread: string;
  /** Counts up from 0 in each thread of a scope; places of removed rows are not given again while the thread has rows. */
  readonly place: number;
}

/** A row to be written; the store gives it its place. One with an id that is there takes over that one's place. */
export interface NewMemory extends Omit<MemoryRow, "place"> {
  readonly passages: readonly PassageTerms[];
  /** In the order of the passages; undefined where they are to be made later. */
  readonly vectors: { readonly embedder: string; readonly values: readonly Float32Array[] } | undefined;
}

/** What a passage is found by: words as the analysis left them, repeated as often as they occur. */
export type PassageTerms = readonly string[];

/** New values for a row whose passages stay as they are. */
export interface Amendment {
  readonly id: string;
  readonly until: number | undefined;
  readonly keys: readonly string[];
  readonly body: string;
}

export interface MemoryChange {
  /** `scopeKey` of the scope whose version is checked and counted up. */
  readonly scope: string;
  /** The version that it was made on; undefined where it holds on any. */
  readonly version: number | undefined;
  readonly put?: readonly NewMemory[];
  readonly amend?: readonly Amendment[];
  /** Ids. */
  readonly remove?: readonly string[];
  /** Made in the same transaction; one for each session. */
  readonly redact?: readonly Redaction[];
}

/** Takes text out of a session for good: the one exception to a log that only grows. */
export interface Redaction {
  readonly session: string;
  /** By sequence: the message as JSON that stands in for the one there. */
  readonly messages: ReadonlyMap<number, string>;
  /** As in a commit of a store; its version is checked. */
  readonly change: {
    readonly version: number;
    readonly time: number;
    readonly documents?: ReadonlyMap<string, unknown>;
  };
}

export type MemoryOutcome =
  | { readonly status: "written"; readonly version: number }
  /** Somebody else was first: find again and write on this version. */
  | { readonly status: "stale"; readonly version: number }
  /** A session to be redacted has changed since, or is gone. */
  | { readonly status: "stale-session"; readonly session: string };

export interface Found {
  readonly version: number;
  readonly rows: readonly MemoryRow[];
}

export interface MemoryListOptions {
  /** The `next` of the page before. */
  readonly after?: string;
  /** Rows on a page; 100 unless given. */
  readonly limit?: number;
  /** Whether what was stored last comes first. */
  readonly newest?: boolean;
}

export interface MemoryPage {
  readonly rows: readonly MemoryRow[];
  readonly next: string | undefined;
}

export interface MemoryQuestion {
  /** Words as the analysis left them, each once. */
  readonly terms: readonly string[];
  /** One for each embedder whose vectors are to be asked. */
  readonly vectors: readonly { readonly embedder: string; readonly values: Float32Array }[];
  /** How many candidates by words, and how many by each embedder's vectors. */
  readonly limit: number;
  /** Only rows said at or after `from` and before `to`, and not closed at `openAt`; milliseconds since the epoch. */
  readonly from?: number;
  readonly to?: number;
  readonly openAt?: number;
}

/** A candidate with its scores; what it says is fetched for the best only. */
export interface MemoryHit extends Place {
  readonly id: string;
  readonly time: number;
  readonly until: number | undefined;
  readonly speaker: string;
  /** BM25 (k1 1.2, b 0.75) of its best passage; 0 where no word matches. */
  readonly words: number;
  /** By embedder of the question: the cosine of its best passage; absent where it has no such vectors. */
  readonly cosines: Readonly<Record<string, number>>;
  /** The passage that matched best. */
  readonly passage: number;
  /** How many passages it has, at least one. */
  readonly passages: number;
}

export interface RowVectors {
  readonly id: string;
  readonly body: string;
  /** In the order of the passages. */
  readonly values: readonly Float32Array[];
}

export interface Erasure {
  /** Where one of the texts still is, though nothing that the store shows has it. */
  readonly found: readonly string[];
  /** What may hold the texts and is out of the driver's reach, in words. */
  readonly remains: readonly string[];
}

/** What was left behind without a row. */
export interface Orphans {
  readonly passages: number;
  readonly vectors: number;
  readonly keys: number;
}
