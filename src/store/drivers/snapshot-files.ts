/**
 * Snapshots in files: the first line is the snapshot, the second its seal, a checksum or, where there is a key, an
 * HMAC. A file whose seal does not fit is refused, and the one before it used.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ContextSnapshot, parseContextSnapshot } from "../../compaction/context-snapshot.js";
import { VarveError } from "../../errors.js";
import { fileNameOf } from "./file-name.js";
import { fileError, makeFolder, namesIn, writeAtomically } from "./file-system.js";

export interface SnapshotPlace {
  readonly folder: string;
  readonly sessionId: string;
  /** Signs snapshots: without it they can be damaged unseen on purpose, with it only by those who know it. */
  readonly key?: string | undefined;
}

export interface FoundSnapshot {
  readonly snapshot: ContextSnapshot;
  readonly file: string;
}

interface Seal {
  readonly algorithm: "sha256" | "hmac-sha256";
  readonly digest: string;
}

const ENDING = ".json";
const folderOf = ({ folder, sessionId }: SnapshotPlace): string => join(folder, fileNameOf(sessionId));

/** Writes a snapshot, and removes all but the latest so many; returns its file. */
export function writeSnapshot(place: SnapshotPlace, snapshot: ContextSnapshot, keep: number): string {
  const folder = folderOf(place);
  try {
    makeFolder(folder);
    const text = JSON.stringify(snapshot);
    const file = join(folder, `${nextName(folder, snapshot.timestamp)}${ENDING}`);
    writeAtomically(file, `${text}\n${JSON.stringify(sealOf(text, place.key))}\n`);
    for (const name of snapshotsIn(folder).slice(0, -keep)) rmSync(join(folder, name), { force: true });
    return file;
  } catch (error) {
    throw fileError(error, folder);
  }
}

/** The latest snapshot that is whole; `refuse` is told of those that are not. */
export function readSnapshot(place: SnapshotPlace, refuse: (fault: VarveError) => void): FoundSnapshot | undefined {
  const folder = folderOf(place);
  for (const name of snapshotsIn(folder).reverse()) {
    const file = join(folder, name);
    try {
      return { file, snapshot: parseFile(readFileSync(file, "utf8"), place.key) };
    } catch (error) {
      refuse(refused(file, error));
    }
  }
  return undefined;
}

/** Removes a session's snapshots; returns how many there were. */
export function removeSnapshots(place: SnapshotPlace): number {
  const folder = folderOf(place);
  const names = snapshotsIn(folder);
  rmSync(folder, { recursive: true, force: true });
  return names.length;
}

const snapshotsIn = (folder: string): string[] => namesIn(folder).filter((name) => name.endsWith(ENDING));

/** Names go up with time, also where two snapshots have the same or the clock was set back. */
function nextName(folder: string, timestamp: number): string {
  const last = Number.parseInt(snapshotsIn(folder).at(-1) ?? "0", 10);
  return String(Math.max(last + 1, Math.floor(timestamp))).padStart(15, "0");
}

function sealOf(text: string, key: string | undefined): Seal {
  if (key === undefined) return { algorithm: "sha256", digest: createHash("sha256").update(text).digest("hex") };
  return { algorithm: "hmac-sha256", digest: createHmac("sha256", key).update(text).digest("hex") };
}

function parseFile(file: string, key: string | undefined): ContextSnapshot {
  const [text = "", seal = ""] = file.split("\n");
  const wanted = sealOf(text, key);
  const found = JSON.parse(seal) as Seal;
  if (found.algorithm !== wanted.algorithm)
    throw new Error(key === undefined ? "it is signed, and no key is given" : "it is not signed");
  const [one, other] = [Buffer.from(wanted.digest), Buffer.from(String(found.digest))];
  if (one.length !== other.length || !timingSafeEqual(one, other)) throw new Error("its seal does not fit");
  return parseContextSnapshot(JSON.parse(text));
}

const refused = (file: string, cause: unknown): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `The snapshot "${file}" is refused: ${cause instanceof Error ? cause.message : String(cause)}.`,
    hint: "The one before it is used, where there is one.",
    cause,
    details: { file },
  });
