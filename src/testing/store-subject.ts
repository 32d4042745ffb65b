import { strict as assert } from "node:assert";
import { type Entry, entryOf } from "../message/entry.js";
import { packMessage } from "../message/packed-message.js";
import { sameValue } from "../message/plain-value.js";
import type { Message } from "../message/types.js";
import type { Change, Store } from "../store/store.js";

/** A kind of store to be checked. */
export interface StoreSubject {
  /** Opens a store on a place of this name, empty at first; the same name again is the same place. */
  open(place: string): Promise<Store>;
  /** False where all is gone when a store is closed; true unless given. */
  readonly durable?: boolean;
}

/** The time of every commit in checks. */
export const TIME = 1_700_000_000_000;

export const user = (content: string): Message => ({ role: "user", content });

/** Entries behind the one with the sequence `after`, numbered from `first`. */
export function entriesOf(messages: readonly Message[], first = 0, after = first - 1): Entry[] {
  const batch = { first, after, time: TIME };
  return messages.map((message, at) => entryOf(packMessage(message, at), first + at, batch));
}

/** Fields that a wire format carried are compared as plain data, which is what a store makes of them. */
export function sameMessages(entries: readonly Entry[], messages: readonly Message[]): void {
  assert.equal(entries.length, messages.length);
  for (const [at, { message }] of entries.entries()) {
    if (!sameValue(message, messages[at])) assert.deepEqual(message, messages[at]);
  }
}

/** Commits a change that must go through, and returns the version after it. */
export async function mustCommit(store: Store, sessionId: string, change: Partial<Change>): Promise<number> {
  const version = change.version ?? (await store.version(sessionId));
  const outcome = await store.commit(sessionId, { time: TIME, ...change, version });
  assert.equal(outcome.status, "committed");
  return outcome.version;
}

export async function mustRead(store: Store, sessionId: string) {
  const stored = await store.read(sessionId, { documents: [""] });
  assert.ok(stored, `The session "${sessionId}" is not there.`);
  return stored;
}

const ATTEMPTS = 5_000;

/** Appends behind whatever others have appended, as often as it takes. */
export async function appendBehind(store: Store, sessionId: string, content: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { info } = (await store.read(sessionId, { from: Number.POSITIVE_INFINITY })) ?? {};
    const entries = entriesOf([user(content)], info?.entries ?? 0, info?.head ?? -1);
    const { status } = await store.commit(sessionId, { version: info?.version ?? 0, time: TIME, entries });
    if (status === "committed") return;
  }
  assert.fail(`An append was stale ${ATTEMPTS} times in a row.`);
}

/** Rejects with an error of one of the codes. */
export async function mustFail(work: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(work, (error: { code?: unknown }) => {
    assert.equal(error.code, code);
    return true;
  });
}
