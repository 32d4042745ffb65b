/**
 * What takes the text of entries out of their sessions. States of the viewer hold digests of what they left out, and
 * checkpoints name such states: all go, and the next view is planned anew on what is left of the log.
 */

import { VarveError } from "../../errors.js";
import { type Carrier, type CarriersOf, wordsOf } from "../../memory/distinctive-words.js";
import type { RedactionOf, Redactions } from "../../memory/forgetting.js";
import { FORGOTTEN, ForgottenTexts } from "../../memory/forgotten-texts.js";
import { keyOf } from "../../memory/keys.js";
import type { EntryReference } from "../../memory/memory.js";
import type { RetoldOf } from "../../memory/retold-rows.js";
import { outputText } from "../../message/content.js";
import type { Entry } from "../../message/entry.js";
import { textsIn } from "../../message/map-texts.js";
import { isObject, sameValue } from "../../message/plain-value.js";
import type { Message } from "../../message/types.js";
import { messageToJSON } from "../../message/value-json.js";
import { NOTED, OBSERVED } from "../../store/context-of.js";
import { type Redaction, type Scope, type ScopeParts, sees } from "../../store/memories/memories.js";
import { type Store, type StoredSession, sessionsIn } from "../../store/store.js";
import { sequenceOf } from "../../store/stored-entry.js";
import { OPTIONS } from "../document-names.js";
import { RECEIPT_NAMES, viewsStartedAnew } from "../saved-views.js";
import { REDACTED, type RedactedEntries } from "../stored-log.js";
import { LEARNT, learntOf } from "./memory-documents.js";
import { PartRedactor } from "./partly-redacted.js";
import { isRedacted, redactedMessage, withoutTexts } from "./redacted-message.js";
import { retellingsIn } from "./retold-entries.js";
import { scrubbed, scrubbedList } from "./scrub.js";

/**
 * What takes texts out of sessions: the entries that are named, whole or in part, what retells them, and their words
 * wherever else they stand in the sessions that are reached. A memory only says where it came from, and anybody may say so:
 * a session whose own memories are not of the scope is left alone.
 */
export async function redactionsOf(
  references: readonly EntryReference[],
  of: RedactionOf & { readonly store: Store },
): Promise<Redactions> {
  const redactions: Redaction[] = [];
  const { linked, kept } = await linkedSessions(references, of);
  const told = new ForgottenTexts([...of.said, ...linked.flatMap((session) => session.passages)], of.words);
  const copies = new Map<string, Copied[]>();
  for (const { stored, named, passages } of linked) {
    const left = messagesLeft(stored, { ...of, named, told, copies });
    for (const [entry, after] of left)
      copies.set(copyKey(entry), [...(copies.get(copyKey(entry)) ?? []), { before: entry.message, after }]);
    redactions.push(...redactionOf(stored, { left, told, passages }, of.time));
  }
  const known = new Set(linked.map(({ stored }) => stored.info.id));
  const unread: string[] = [];
  for await (const stored of sessionsWithin(of.reach, { store: of.store, known, unread })) {
    const left = messagesLeft(stored, { ...of, named: [], told, copies });
    redactions.push(...redactionOf(stored, { left, told, passages: [] }, of.time));
  }
  return { redactions, kept, unread };
}

interface LinkedSession {
  readonly stored: StoredSession;
  readonly named: readonly Entry[];
  /** What is said in the entries that go as a whole. */
  readonly passages: readonly string[];
}

/** The sessions that entries are of; of those that are gone there are none. */
async function linkedSessions(references: readonly EntryReference[], of: RedactionOf & { readonly store: Store }) {
  const linked: LinkedSession[] = [];
  const kept: string[] = [];
  for await (const { stored, named } of sessionsOf(references, of.store)) {
    const whole = named.filter((entry) => !isPart(of, stored, entry) && !isRedacted(entry.message));
    const passages = whole.flatMap(({ message }) => passagesOf(message));
    if (isOf(of.scope, stored)) linked.push({ stored, named, passages });
    else kept.push(stored.info.id);
  }
  return { linked, kept };
}

/** The other sessions of a scope. One that cannot be read keeps no text from being taken out of the rest. */
async function* sessionsWithin(
  reach: Scope | undefined,
  { store, known, unread }: { readonly store: Store; readonly known: ReadonlySet<string>; readonly unread: string[] },
): AsyncGenerator<StoredSession> {
  if (reach === undefined) return;
  for await (const { id } of sessionsIn(store)) {
    if (known.has(id)) continue;
    try {
      const front = await store.read(id, { from: Number.POSITIVE_INFINITY, documents: [OPTIONS, LEARNT] });
      if (front === undefined || !isOf(reach, front)) continue;
      const stored = await store.read(id, { documents: [""] });
      if (stored !== undefined) yield stored;
    } catch (error) {
      if (!VarveError.isInstance(error) || error.code !== "store-damaged") throw error;
      unread.push(id);
    }
  }
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

/** What has one of these words: entries, and what the sessions note. Who is remembered is no retelling. */
export async function carriersOf({ scope, words, said, entries, store }: CarriersOf & { readonly store: Store }) {
  const texts = new ForgottenTexts(said);
  const carriers: Carrier[] = [];
  for await (const { info, entries: all, documents } of sessionsWithin(scope, {
    store,
    known: new Set(),
    unread: [],
  })) {
    const session = info.id;
    for (const { id, sequence, role, time, message } of all) {
      const isNamed = entries.has(keyOf.entry({ session, sequence }));
      const found = isNamed ? [] : wordsOf(textsIn(message), { texts, words });
      const isRetold = role === "assistant" || role === "tool";
      if (found.length > 0) carriers.push({ id, session, time, isRetold, words: found });
    }
    for (const [name, text] of documents) {
      const found = wordsOf([text], { texts, words });
      const isRetold = name !== OPTIONS && name !== LEARNT;
      const time = Number.POSITIVE_INFINITY;
      if (found.length > 0) carriers.push({ id: "its notes", session, time, isRetold, words: found });
    }
  }
  return carriers;
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

const isPart = ({ retold }: RedactionOf, { info }: StoredSession, { sequence }: Entry): boolean =>
  retold?.entries.has(keyOf.entry({ session: info.id, sequence })) ?? false;

/** The texts of a message that a memory may have been made of. */
const passagesOf = ({ content }: Message): string[] =>
  typeof content === "string"
    ? [content]
    : content.flatMap((part) => {
        if (part.type === "text") return [part.text];
        return part.type === "tool-result" ? [outputText(part.output)] : [];
      });

/** An entry that lost text, as it was and as it is. A session that was forked has the same one. */
interface Copied {
  readonly before: Message;
  readonly after: Message;
}

const copyKey = ({ sequence, time }: Entry): string => `${sequence} ${time}`;

interface ToRedact extends RedactionOf {
  /** Entries that lose all their text, but for those that only retell. */
  readonly named: readonly Entry[];
  readonly told: ForgottenTexts;
  /** What is left of entries elsewhere that this session may have copies of. */
  readonly copies: ReadonlyMap<string, readonly Copied[]>;
}

/** What is left of entries that lose text. */
function messagesLeft(stored: StoredSession, of: ToRedact): Map<Entry, Message> {
  const { texts, retold, told, copies } = of;
  const left = new Map<Entry, Message>();
  for (const entry of stored.entries) {
    const copied = copies.get(copyKey(entry))?.find(({ before }) => sameValue(before, entry.message));
    const message = copied?.after ?? withoutTexts(entry.message, told);
    if (message !== entry.message) left.set(entry, message);
  }
  const named = new Set(of.named);
  const heard = [...named, ...[...left.keys()].filter(({ role }) => role === "user")];
  const parts = new PartRedactor([...new Set([...texts, ...(retold?.texts ?? [])])]);
  const partly = (entry: Entry): Message => parts.redacted(left.get(entry) ?? entry.message);
  for (const entry of named)
    left.set(entry, isPart(of, stored, entry) ? partly(entry) : redactedMessage(entry.message));
  for (const entry of retellingsIn(stored.entries, [...new Set(heard)], texts)) left.set(entry, partly(entry));
  for (const [entry, message] of left) if (sameValue(message, entry.message)) left.delete(entry);
  return left;
}

interface Redacted {
  readonly left: ReadonlyMap<Entry, Message>;
  readonly told: ForgottenTexts;
  readonly passages: readonly string[];
}

function redactionOf(stored: StoredSession, { left, told, passages }: Redacted, time: number): Redaction[] {
  const inOrder = [...left].sort(([one], [other]) => one.sequence - other.sequence);
  const messages = new Map(inOrder.map(([{ sequence }, message]) => [sequence, messageToJSON(message)]));
  const retold = [...left.keys()]
    .filter(({ role }) => role === "assistant")
    .flatMap(({ message }) => passagesOf(message));
  const also = new ForgottenTexts(retold);
  const scrub = (value: unknown): unknown => scrubbed(scrubbed(value, told), also);
  const isTold = [...stored.documents].some(([name, text]) => {
    const value: unknown = name === OPTIONS ? undefined : JSON.parse(text);
    return scrub(value) !== value;
  });
  if (left.size === 0 && !isTold) return [];
  const documents = redactedDocuments(stored.documents, {
    sequences: [...messages.keys()],
    scrub,
    passages: [...passages, ...retold],
  });
  return [{ session: stored.info.id, messages, change: { version: stored.info.version, time, documents } }];
}

interface DocumentRedaction {
  readonly sequences: readonly number[];
  readonly passages: readonly string[];
  scrub(value: unknown): unknown;
}

function redactedDocuments(
  stored: ReadonlyMap<string, string>,
  { sequences, passages, scrub }: DocumentRedaction,
): Map<string, unknown> {
  const documents = viewsStartedAnew(stored);
  for (const [name, text] of stored) {
    if (name === OPTIONS || (documents.has(name) && documents.get(name) === undefined)) continue;
    const value: unknown = documents.get(name) ?? JSON.parse(text);
    const changed = scrub(name.startsWith(RECEIPT_NAMES) ? withoutDigest(value, sequences) : value);
    if (changed !== value) documents.set(name, changed);
  }
  const noted: unknown = documents.get(NOTED) ?? parsed(stored.get(NOTED));
  if (isObject(noted) && Array.isArray(noted.facts))
    documents.set(NOTED, { ...noted, facts: scrubbedList(noted.facts, passages) });
  if (stored.has(OBSERVED)) documents.set(OBSERVED, undefined);
  const { sequences: before = [], times = 0 } = (parsed(stored.get(REDACTED)) ?? {}) as Partial<RedactedEntries>;
  documents.set(REDACTED, { sequences: [...before, ...sequences], times: times + 1 } satisfies RedactedEntries);
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
