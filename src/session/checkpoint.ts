import type { Entry } from "../message/entry.js";
import type { Pins } from "./pins.js";
import type { Standing } from "./standing.js";

/** A name for a head and a state: restoring one moves the head and copies nothing. */
export interface Checkpoint extends Standing {
  readonly id: string;
  readonly name: string;
  /** The last entry of the branch; undefined where there was none. */
  readonly head: string | undefined;
  /** How many entries the branch had. */
  readonly entries: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Whether it was made because enough messages had come. */
  readonly automatic: boolean;
  readonly pins: Pins["state"]["pins"];
}

/** What lies between a checkpoint and another, or the present head. */
export interface CheckpointDiff {
  /** The last entry that both have; undefined where they have none in common. */
  readonly common: string | undefined;
  /** Entries that only the checkpoint's branch has, oldest first. */
  readonly removed: readonly Entry[];
  /** Entries that only the other has, oldest first. */
  readonly added: readonly Entry[];
}

/** Automatic checkpoints that are kept. */
const AUTOMATIC = 20;

/** All checkpoints of a session, as its document holds them. */
export interface Checkpoints {
  readonly next: number;
  readonly list: readonly Checkpoint[];
}

export const NO_CHECKPOINTS: Checkpoints = { next: 1, list: [] };

export type NewCheckpoint = Omit<Checkpoint, "id" | "name"> & { readonly name: string | undefined };

/** Adds a checkpoint; the oldest automatic ones go when there are many. */
export function withCheckpoint({ next, list }: Checkpoints, made: NewCheckpoint): Checkpoints {
  const id = `c${next}`;
  const all = [...list, { ...made, id, name: made.name ?? id }];
  const automatic = all.filter((each) => each.automatic);
  const gone = new Set(automatic.slice(0, Math.max(0, automatic.length - AUTOMATIC)));
  return { next: next + 1, list: all.filter((each) => !gone.has(each)) };
}

/** Whether a branch that has so many entries to be added is due for an automatic checkpoint. */
export function isDue({ list }: Checkpoints, branch: readonly Entry[], { added, every }: Growth): boolean {
  if (every === undefined) return false;
  const behind = list.filter(({ head, entries }) => branch[entries - 1]?.id === head).map(({ entries }) => entries);
  return branch.length + added - Math.max(0, ...behind) >= every;
}

export interface Growth {
  readonly added: number;
  readonly every: number | undefined;
}
