/** A session's entries are a tree through their parents; a branch is the way from its first entry to a head. */
import type { Entry } from "../message/entry.js";
import { parentOf, sequenceOf } from "./stored-entry.js";

/** The entries of the branch that ends at a head, oldest first. `all` are the session's entries by sequence. */
export function branchOf(all: readonly Entry[], head: number): readonly Entry[] {
  if (isStraight(all, head)) return all.length === head + 1 ? all : all.slice(0, head + 1);
  const branch: Entry[] = [];
  for (let at = head; at >= 0; at = parentOf(all[at]!)) branch.push(all[at]!);
  return branch.reverse();
}

/** Whether the entries up to a head simply follow each other, as they do until a checkpoint is restored. */
function isStraight(all: readonly Entry[], head: number): boolean {
  for (let at = head; at >= 0; at--) if (parentOf(all[at]!) !== at - 1) return false;
  return true;
}

/** Where two branches part: how many entries they have in common from their start. */
export function commonLength(first: readonly Entry[], second: readonly Entry[]): number {
  const most = Math.min(first.length, second.length);
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (first[middle - 1]!.sequence === second[middle - 1]!.sequence) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The position of an entry on a branch, by its id; -1 where it is not on it. Sequences go up along a branch. */
export function positionOf(branch: readonly Entry[], id: string): number {
  if (!/^e\d+$/.test(id)) return -1;
  const sequence = sequenceOf(id);
  let low = 0;
  let high = branch.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = branch[middle]!.sequence;
    if (found === sequence) return branch[middle]!.id === id ? middle : -1;
    if (found < sequence) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The entries that lead from one head to a later one; undefined where the later one is not behind it. */
export function entriesBehind(all: readonly Entry[], from: number, to: number): readonly Entry[] | undefined {
  const chain: Entry[] = [];
  let at = to;
  while (at > from) {
    chain.push(all[at]!);
    at = parentOf(all[at]!);
  }
  return at === from ? chain.reverse() : undefined;
}
