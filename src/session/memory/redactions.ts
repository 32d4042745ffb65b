/**
 * What takes the text of entries out of their sessions. States of the viewer hold digests of what they left out, and
 * checkpoints name such states: all go, and the next view is planned anew on what is left of the log.
 */

import type { RedactionOf, Redactions } from "../../memory/forgetting.js";
import { keyOf } from "../../memory/keys.js";
import type { EntryReference } from "../../memory/memory.js";
import type { RetoldOf } from "../../memory/retold-rows.js";
import { messageText } from "../../message/content.js";
import type { Entry } from "../../message/entry.js";
import { isObject } from "../../message/plain-value.js";
import type { Message } from "../../message/types.js";
import { messageToJSON } from "../../message/value-json.js";
import { NOTED, OBSERVED } from "../../store/context-of.js";
import { type Redaction, type Scope, type ScopeParts, sees } from "../../store/memories/memories.js";
import type { Store, StoredSession } from "../../store/store.js";
import { sequenceOf } from "../../store/stored-entry.js";
import { OPTIONS } from "../document-names.js";
import { RECEIPT_NAMES, viewsStartedAnew } from "../saved-views.js";
import { REDACTED, type RedactedEntries } from "../stored-log.js";
import { LEARNT, learntOf } from "./memory-documents.js";
import { PartRedactor } from "./partly-redacted.js";
import { FORGOTTEN, isRedacted, redactedMessage } from "./redacted-message.js";
import { retellingsIn } from "./retold-entries.js";
import { scrubbed, scrubbedList } from "./scrub.js";

/**
 * The redactions of the sessions that these entries are of; of those that are gone there are none. A memory only says
 * where it came from, and anybody may say so: a session whose own memories are not of the scope is left alone.
 */
export async function redactionsOf(
  references: readonly EntryReference[],
  { store, scope, time, texts, retold }: RedactionOf & { readonly store: Store },
): Promise<Redactions> {
  const redactions: Redaction[] = [];
  const kept: string[] = [];
  for await (const { stored, named } of sessionsOf(references, store)) {
    if (!isOf(scope, stored)) kept.push(stored.info.id);
    else {
      const found = retellingsIn(stored.entries, named, texts);
      const left = messagesLeft(stored, { named, found, texts, retold });
      redactions.push(...redactionOf(stored, left, time));
    }
  }
  return { redactions, kept };
}

/** The agent's entries that retell texts which came out of these entries, in the same sessions. */
export async function retellingsOf(
  references: readonly EntryReference[],
  { store, scope, texts }: RetoldOf & { readonly store: Store },
): Promise<EntryReference[]> {
  const found: EntryReference[] = [];
  for await (const { stored, named } of sessionsOf(references, store)) {
    const told = isOf(scope, stored) ? retellingsIn(stored.entries, named, texts) : [];
    found.push(...told.map(({ sequence }) => ({ session: stored.info.id, sequence })));
  }
  return found;
}

/** The sessions that entries are of, each with those entries. */
async function* sessionsOf(references: readonly EntryReference[], store: Store) {
  for (const [session, entries] of Map.groupBy(references, (entry) => entry.session)) {
    const stored = await store.read(session, { documents: [""] });
    if (stored === undefined) continue;
    const wanted = new Set(entries.map(({ sequence }) => sequence));
    yield { stored, named: stored.entries.filter(({ sequence }) => wanted.has(sequence)) };
  }
}

/** Whether a session learns or has learnt for a scope. Its tags say nothing of whose it is. */
function isOf({ tags: _, ...owners }: Scope, { documents }: StoredSession): boolean {
  const options = parsed(documents.get(OPTIONS));
  const memory = isObject(options) ? options.memory : undefined;
  const { scope, left = [] } = learntOf(parsed(documents.get(LEARNT)));
  const scopes = [isObject(memory) ? memory.scope : undefined, scope, ...left.map((part) => part.scope)];
  return scopes.some((one) => isObject(one) && sees(owners, one as ScopeParts));
}

interface ToRedact {
  /** Entries that lose all their text, but for those that only retell. */
  readonly named: readonly Entry[];
  /** Entries that retell these texts. */
  readonly found: readonly Entry[];
  readonly texts: readonly string[];
  readonly retold: RedactionOf["retold"];
}

/** What is left of entries that lose text. */
function messagesLeft({ info }: StoredSession, { named, found, texts, retold }: ToRedact): Map<Entry, Message> {
  const isPart = ({ sequence }: Entry): boolean =>
    retold?.entries.has(keyOf.entry({ session: info.id, sequence })) ?? false;
  const parts = new PartRedactor([...new Set([...texts, ...(retold?.texts ?? [])])]);
  const left = new Map<Entry, Message>();
  for (const entry of named)
    left.set(entry, isPart(entry) ? parts.redacted(entry.message) : redactedMessage(entry.message));
  for (const entry of found) left.set(entry, parts.redacted(entry.message));
  for (const [entry, message] of left) if (isRedacted(entry.message) || message === entry.message) left.delete(entry);
  return left;
}

function redactionOf(stored: StoredSession, left: ReadonlyMap<Entry, Message>, time: number): Redaction[] {
  if (left.size === 0) return [];
  const messages = new Map(Array.from(left, ([{ sequence }, message]) => [sequence, messageToJSON(message)]));
  const texts = [...left.keys()].map(({ message }) => messageText(message)).filter((text) => /\S/.test(text));
  const documents = redactedDocuments(stored.documents, [...messages.keys()], texts);
  return [{ session: stored.info.id, messages, change: { version: stored.info.version, time, documents } }];
}

function redactedDocuments(
  stored: ReadonlyMap<string, string>,
  sequences: readonly number[],
  texts: readonly string[],
): Map<string, unknown> {
  const documents = viewsStartedAnew(stored);
  for (const [name, text] of stored) {
    if (documents.has(name) || name === OPTIONS) continue;
    const value: unknown = JSON.parse(text);
    const changed = scrubbed(name.startsWith(RECEIPT_NAMES) ? withoutDigest(value, sequences) : value, texts);
    if (changed !== value) documents.set(name, changed);
  }
  const noted: unknown = documents.get(NOTED) ?? parsed(stored.get(NOTED));
  if (isObject(noted) && Array.isArray(noted.facts))
    documents.set(NOTED, { ...noted, facts: scrubbedList(noted.facts, texts) });
  if (stored.has(OBSERVED)) documents.set(OBSERVED, undefined);
  const { sequences: before = [] } = (parsed(stored.get(REDACTED)) ?? {}) as Partial<RedactedEntries>;
  documents.set(REDACTED, { sequences: [...before, ...sequences] } satisfies RedactedEntries);
  return documents;
}

const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));

/** A receipt without the digest that it shows, where that may tell of these entries. */
function withoutDigest(receipt: unknown, sequences: readonly number[]): unknown {
  if (!isObject(receipt) || typeof receipt.replacedBy !== "string") return receipt;
  const items = Array.isArray(receipt.items) ? receipt.items : [];
  const ends = [receipt.leftOut, ...items].flatMap((run) =>
    isObject(run) && typeof run.to === "string" ? [sequenceOf(run.to)] : [],
  );
  const last = ends.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...ends);
  return sequences.some((sequence) => sequence <= last) ? { ...receipt, replacedBy: FORGOTTEN } : receipt;
}
