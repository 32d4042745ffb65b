/** A store with something of everything, and what reading it may give once it has been damaged. */
import { closeSync, openSync, readFileSync, statSync, truncateSync, writeSync } from "node:fs";
import { expect } from "vitest";
import { openVarve, type Store, VarveError } from "../../src/index.js";
import { messageToJSON } from "../../src/message/value-json.js";
import { sessionsIn } from "../../src/store/store.js";
import { parentOf } from "../../src/store/stored-entry.js";
import { Random } from "../../src/testing/random.js";
import { conversation } from "./conversation.js";

const SESSIONS = ["user:agent:1", "user:agent:2"];
const SCOPE = { user: "ann" };

/** Sessions with views, receipts, pins, a checkpoint and keys, and memories. Returns the documents ever written. */
export async function fillStore(inner: Store): Promise<ReadonlySet<string>> {
  const written = new Set<string>();
  const commit: Store["commit"] = (id, change) => {
    for (const [name, value] of change.documents ?? []) written.add(JSON.stringify([name, JSON.stringify(value)]));
    return inner.commit(id, change);
  };
  const varve = await openVarve({ store: { ...inner, commit } });
  for (const id of SESSIONS) {
    const session = await varve.session(id, { window: 3_000, strategy: "summarization" });
    for (let turn = 0; turn < 6; turn++) {
      const key = `${id}-${turn}`;
      await session.append(
        [{ role: "user", content: `Turn ${turn}: the port is 503${turn}. ${"words ".repeat(300)}` }],
        { key },
      );
      await session.append({ role: "assistant", content: `Noted for turn ${turn}.` });
      await session.view();
    }
    session.pin("e0");
    await session.checkpoint("halfway");
    await session.append(conversation(2));
    await session.flush();
  }
  const memory = varve.memory({ scope: SCOPE });
  for (let at = 0; at < 8; at++) await memory.store(`The server ${at} listens on port 60${at}0.`);
  await varve.close();
  return written;
}

/** All that a store holds, as plain data; errors of reading in its place. */
export async function contentsOf(store: Store) {
  const sessions: Record<string, unknown> = {};
  const errors: unknown[] = [];
  const seen = async <T>(work: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      errors.push(error);
      return undefined;
    }
  };
  const listed = await seen(async () => {
    const ids: string[] = [];
    for await (const { id } of sessionsIn(store)) ids.push(id);
    return ids;
  });
  for (const id of SESSIONS) {
    const stored = await seen(() => store.read(id, { documents: [""], keys: true }));
    if (stored === undefined) continue;
    const entries = [];
    for (const entry of stored.entries) {
      const { sequence, time, role, blank } = entry;
      const message = await seen(() => messageToJSON(entry.message));
      entries.push(message === undefined ? undefined : [sequence, parentOf(entry), time, role, blank, message]);
    }
    const { head, version, entries: count } = stored.info;
    sessions[id] = { info: [head, version, count], entries, documents: [...stored.documents], keys: [...stored.keys!] };
  }
  const memories = await seen(async () => {
    const { rows } = await store.memories!.list(SCOPE, { limit: 100 });
    // Places are counted, so that those behind one that is gone move up.
    return rows.map(({ place: _, ...row }) => row);
  });
  return { contents: { listed, sessions, memories: memories ?? [] }, errors };
}

type Contents = Awaited<ReturnType<typeof contentsOf>>["contents"];
interface SessionContents {
  readonly info: readonly unknown[];
  readonly entries: readonly unknown[];
  readonly documents: readonly unknown[];
  readonly keys: readonly unknown[];
}

/**
 * Whatever is read is what was written; where something is missing, somebody was told. A log that lost a commit may show
 * the document of an earlier one.
 */
export function expectNothingWrong(
  before: Contents,
  after: Contents,
  { told, former }: { readonly told: readonly unknown[]; readonly former: ReadonlySet<string> },
): void {
  for (const error of told) expect(VarveError.isInstance(error), String((error as Error)?.stack ?? error)).toBe(true);
  if (told.length === 0) expect(after).toEqual(before);
  for (const [id, read] of Object.entries(after.sessions) as [string, SessionContents][]) {
    const written = before.sessions[id] as SessionContents;
    for (const [at, entry] of read.entries.entries())
      if (entry !== undefined) expect(entry).toEqual(written.entries[at]);
    for (const document of read.documents)
      if (!former.has(JSON.stringify(document))) expect(written.documents).toContainEqual(document);
    for (const key of read.keys) expect(written.keys).toContainEqual(key);
  }
  for (const memory of after.memories) expect(before.memories).toContainEqual(memory);
}

/** Contents without what stands in for entries that are gone. */
export function withoutGone(contents: Contents): Contents {
  const sessions = Object.entries(contents.sessions).map(([id, read]) => {
    const { entries, ...rest } = read as SessionContents;
    const left = entries.map((entry) => (JSON.stringify(entry).includes("and is gone.]") ? undefined : entry));
    return [id, { ...rest, entries: left }] as const;
  });
  return { ...contents, sessions: Object.fromEntries(sessions) };
}

/** Changes a file in one of four ways, at a place that the seed says; returns what it did. */
export function spoilFile(path: string, seed: number): string {
  const chance = new Random(seed);
  const { size } = statSync(path);
  const at = chance.below(size);
  const kind = chance.below(10);
  if (kind === 0) {
    truncateSync(path, at);
    return `cut at ${at} of ${size}`;
  }
  const length = kind === 1 ? Math.min(512, size - at) : 1;
  const bytes = Buffer.from(readFileSync(path).subarray(at, at + length));
  if (kind === 1) for (const index of bytes.keys()) bytes[index] = chance.chance(0.5) ? 0 : chance.below(256);
  else bytes[0] = kind === 2 ? chance.below(256) : bytes[0]! ^ (1 << chance.below(8));
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
  return `${["", "512 bytes", "a byte"][kind] ?? "a bit"} at ${at} of ${size}`;
}
