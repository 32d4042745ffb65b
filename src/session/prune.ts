import { invalidOption } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { type Removed, type SessionInfo, type Store, sessionsIn } from "../store/store.js";

export interface PruneOptions {
  /** Milliseconds: sessions that nobody has changed for longer go. */
  readonly olderThan?: number;
  /** Bytes that all sessions may take together: the ones changed longest ago go until the rest fits. */
  readonly maxBytes?: number;
  /** Only says what would go. */
  readonly dry?: boolean;
}

export interface PruneReport {
  readonly removed: readonly PrunedSession[];
  /** Sessions that stayed, and the bytes that they take. */
  readonly kept: number;
  readonly bytes: number;
}

export interface PrunedSession extends Removed {
  readonly id: string;
  readonly reason: "age" | "size";
}

export interface PrunePorts {
  readonly store: Store;
  readonly now: () => number;
  /** Ids that are not to go. */
  readonly spared: ReadonlySet<string>;
  readonly remove: (sessionId: string) => Promise<Removed | undefined>;
}

/** Removes the sessions that are too old, and then the oldest as long as all are too large. */
export async function pruneSessions(options: PruneOptions, ports: PrunePorts): Promise<PruneReport> {
  const { dry = false } = checkPruneOptions(options);
  const all: SessionInfo[] = [];
  for await (const info of sessionsIn(ports.store)) all.push(info);
  const planned = planPrune(all, options, { now: ports.now(), spared: ports.spared });
  const removed: PrunedSession[] = [];
  for (const { info, reason } of planned) {
    const gone = dry
      ? { entries: info.entries, documents: 0, keys: 0, bytes: info.bytes }
      : await ports.remove(info.id);
    if (gone !== undefined) removed.push({ id: info.id, reason, ...gone });
  }
  const ids = new Set(removed.map(({ id }) => id));
  const kept = all.filter(({ id }) => !ids.has(id));
  return { removed, kept: kept.length, bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0) };
}

interface Planned {
  readonly info: SessionInfo;
  readonly reason: "age" | "size";
}

/** Which sessions go, those changed longest ago first. */
function planPrune(
  sessions: readonly SessionInfo[],
  { olderThan = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY }: PruneOptions,
  { now, spared }: { now: number; spared: ReadonlySet<string> },
): Planned[] {
  let bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
  const oldestFirst = sessions.toSorted((a, b) => a.updated - b.updated || (a.id < b.id ? -1 : 1));
  return oldestFirst.flatMap((info): Planned[] => {
    const isOld = now - info.updated > olderThan;
    if (spared.has(info.id) || (!isOld && bytes <= maxBytes)) return [];
    bytes -= info.bytes;
    return [{ info, reason: isOld ? "age" : "size" }];
  });
}

const OPTIONS: OptionNames<PruneOptions> = { olderThan: true, maxBytes: true, dry: true };

function checkPruneOptions(options: PruneOptions): PruneOptions {
  checkNames(options, OPTIONS, "varve.prune");
  for (const option of ["olderThan", "maxBytes"] as const) {
    const value = options[option];
    if (value !== undefined && !(value >= 0)) throw invalidOption({ option, value, allowed: "a number from 0" });
  }
  if (options.dry !== undefined && typeof options.dry !== "boolean")
    throw invalidOption({ option: "dry", value: options.dry, allowed: "true or false" });
  if (options.olderThan !== undefined || options.maxBytes !== undefined) return options;
  throw invalidOption({ option: "olderThan", value: undefined, allowed: "an age, or maxBytes as a size" });
}
