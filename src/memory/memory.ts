import type { Scope } from "../store/memories/memories.js";
import type { Fact } from "./facts/fact.js";
import type { Evidence } from "./ranking/rank.js";
import type { PassagePlace } from "./text/search-text.js";
import type { MemorySource } from "./trust/source.js";

/** A long-lived piece of knowledge: a text, whose it is, where it came from, and since when it holds. */
export interface Memory {
  readonly id: string;
  readonly content: string;
  readonly scope: Scope;
  /** ISO time: when it was said, and since when it holds. */
  readonly at: string;
  /** ISO time of storing. */
  readonly storedAt: string;
  /** ISO time since when it no longer holds; absent while it does. */
  readonly validUntil?: string;
  readonly source: MemorySource;
  readonly speaker?: string;
  /** The conversation that it is part of. */
  readonly thread?: string;
  /** The log entries that it came from. */
  readonly entries?: readonly EntryReference[];
  /** What is known from it: further keys to the text. */
  readonly facts: readonly MemoryFact[];
  /** How often it was said: 1, and one more for each repetition that was merged into it. */
  readonly times: number;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** An entry of a session's log. */
export interface EntryReference {
  readonly session: string;
  readonly sequence: number;
}

/** A fact with its validity. */
export interface MemoryFact extends Fact {
  /** ISO time since when it no longer holds; absent while it does. */
  readonly validUntil?: string;
  /** The memory that says so. */
  readonly supersededBy?: string;
  /** Said before: another memory has the slot as long as it is there. */
  readonly repeated?: true;
}

/** What is known of a text to be stored; fields that are not named here are kept as metadata. */
export interface MemoryDetails {
  /** A name of your own for it, unique in its scope: storing it again replaces it. A new one unless given. */
  readonly id?: string;
  /** When it was said: ISO text, milliseconds since the epoch, or a Date. Now unless given. */
  readonly at?: string | number | Date;
  /** Who said it. A text with a speaker is part of a conversation: those stored before and after it are its context. */
  readonly speaker?: string;
  /** Which conversation; the scope's session unless given. */
  readonly thread?: string;
  /** "user" unless given. */
  readonly source?: MemorySource;
  readonly tags?: readonly string[];
  readonly entries?: readonly EntryReference[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/** A text to be stored, with what is known of it. */
export interface MemoryInput extends MemoryDetails {
  readonly content: string;
}

/** What became of a text. */
export interface StoreReceipt {
  readonly id: string;
  /** "merged": it was known already, under this id. "refused": nothing was kept of it, and `reason` says why. */
  readonly status: "stored" | "merged" | "refused";
  readonly reason?: string;
  /** Memories, or facts of them, that no longer hold since this one was said. */
  readonly superseded: readonly EndedValue[];
  /** Kinds of the secrets that were masked; "off the record" where sentences were left out at their author's wish. */
  readonly redacted: readonly string[];
}

export interface EndedValue {
  readonly id: string;
  readonly slot: string;
  readonly value: string;
}

/** A memory that answers a question. */
export interface Retrieved extends Memory {
  /** Higher is better; comparable within one answer. */
  readonly score: number;
  /** Cosine between the question and its best passage; 0 where it has no vectors. */
  readonly similarity: number;
  /** What the score is made of. */
  readonly evidence: Evidence;
  /** Of a text that has several: the passage that matched, by its first character and after its last. */
  readonly passage?: PassagePlace;
  /** Only this passage is in `content`, for there was no room for the whole text within `maxTokens`; `get(id)` has it. */
  readonly partial?: true;
}

/** Which memories; all that is given must hold. */
export interface MemoryFilter {
  readonly tags?: readonly string[];
  readonly speaker?: string;
  readonly source?: MemorySource;
  /** Memories with a fact of this kind. */
  readonly kind?: Fact["kind"];
  /** Said at or after. */
  readonly from?: string | number | Date;
  /** Said before. */
  readonly to?: string | number | Date;
  /** Values of metadata that must be equal. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface RetrieveOptions {
  /** At most this many; 10 unless given, 50 where `maxTokens` is. */
  readonly limit?: number;
  /** As many of the best as fit; one that does not is told by the passage that matched, where that fits. */
  readonly maxTokens?: number;
  /** What was known and held at that time; now unless given. */
  readonly asOf?: string | number | Date;
  /** Whether memories that no longer hold are found too. Unless given, where the question asks about the past. */
  readonly superseded?: boolean;
  /** Only those whose similarity is at least this, from 0 to 1. */
  readonly similarityThreshold?: number;
  /**
   * Leaves out what shares no telling word with the question and is not near it in meaning either, but for the three
   * nearest, and where there are ten or fewer.
   */
  readonly relevant?: boolean;
  readonly where?: MemoryFilter;
  readonly signal?: AbortSignal;
}
