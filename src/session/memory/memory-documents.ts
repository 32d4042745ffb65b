/** The documents in which a session keeps what it has to do with memories. */
import type { PassagePlace } from "../../memory/text/search-text.js";
import { isObject, sameValue } from "../../message/plain-value.js";
import type { Scope } from "../../store/memories/memories.js";
import { sequenceOf } from "../../store/stored-entry.js";
import { OPTIONS } from "../document-names.js";

/** Up to which entry the session's turns have become memories. */
export const LEARNT = "state/learnt";

export interface Learnt {
  readonly sequence: number;
  /** Whose memories the turns become. */
  readonly scope?: Scope;
  /** What was said under other scopes, oldest first. */
  readonly left?: readonly LeftPart[];
  /** What user messages asked of the memory and waits for a yes, oldest first. */
  readonly requests?: readonly WaitingRequest[];
}

export interface WaitingRequest {
  /** The entry that it stands in and, from 1, which one of those there it is: "e12.1". */
  readonly id: string;
  readonly text: string;
}

export interface LeftPart {
  /** Sequence of its last entry. */
  readonly to: number;
  readonly scope: Scope;
}

export const learntOf = (document: unknown): Learnt =>
  isObject(document) && typeof document.sequence === "number" ? (document as unknown as Learnt) : { sequence: -1 };

export const learntIn = (document: unknown): number => learntOf(document).sequence;

/** The document of a session that goes on under a scope: what was said up to `head` belongs to the one before. */
export function underScope(document: unknown, scope: Scope, head: number): Learnt {
  const before = learntOf(document);
  const { sequence, scope: other = scope, left = [] } = before;
  if (sameValue(other, scope)) return before.scope === undefined ? { ...before, scope } : before;
  const last = left.at(-1)?.to ?? -1;
  return { ...before, sequence, scope, left: head > last ? [...left, { to: head, scope: other }] : left };
}

/** Requests that are kept. */
const REQUESTS = 100;

/** The same once it is learnt up to there, and these requests were found. */
export function learntTo(document: unknown, sequence: number, found: readonly WaitingRequest[] = []): Learnt {
  const before = learntOf(document);
  const requests = [...(before.requests ?? []), ...found].slice(-REQUESTS);
  return { ...before, sequence: Math.max(sequence, before.sequence), ...(requests.length > 0 && { requests }) };
}

/** The same without a request that was answered. */
export function learntWithout(document: unknown, id: string): Learnt {
  const { requests = [], ...before } = learntOf(document);
  return { ...before, requests: requests.filter((each) => each.id !== id) };
}

/** A document as it is taken in from elsewhere: whose memories the session is to have says who opens it. */
export function importedDocument(name: string, value: unknown): unknown {
  if (name === LEARNT) return { sequence: learntIn(value) };
  if (name !== OPTIONS || !isObject(value)) return value;
  const { memory: _, ...options } = value;
  return options;
}

/** The memories that were chosen for the turns which views show or nobody has learnt from. */
export const RECALLS = "state/recalls";

export interface RecalledTurn {
  /** Id of the user message. */
  readonly entry: string;
  readonly ids: readonly string[];
  /** Those of them that did not hold any more even then: a question about the past asks for such. */
  readonly past?: readonly string[];
  /** Tokens that one memory may take. */
  readonly most: number;
  /** By id: the passage that a memory is shown by which is too long for that. */
  readonly passages?: Readonly<Record<string, PassagePlace>>;
  /** Views show it no more: there was no room for it beside later ones. */
  readonly hidden?: boolean;
}

export const recallsIn = (document: unknown): readonly RecalledTurn[] =>
  isObject(document) && Array.isArray(document.turns) ? document.turns : [];

/** Turns that are kept. */
const TURNS = 100;

export interface NewTurn {
  readonly turn: RecalledTurn;
  /** Whether it takes the place of those before. */
  readonly hide: boolean;
  /** Up to which entry the session's turns have become memories. */
  readonly learnt: number;
}

/** The turns with one more. Those that views show stay; when there are too many, all before give way at once. */
export function withTurn(turns: readonly RecalledTurn[], { turn, hide, learnt }: NewTurn): readonly RecalledTurn[] {
  const others = turns.filter(({ entry }) => entry !== turn.entry);
  const isFull = hide || others.filter(({ hidden }) => !hidden).length >= TURNS;
  const before = isFull ? others.map((each) => ({ ...each, hidden: true })) : others;
  const kept = before.filter(({ entry, hidden }) => !hidden || sequenceOf(entry) > learnt);
  return [...kept, turn].slice(-2 * TURNS);
}
