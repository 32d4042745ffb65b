import { invalidOption, VarveError } from "../errors.js";
import { checkString } from "../message/option-names.js";
import { branchOf, commonLength } from "../store/branch.js";
import { sequenceOf } from "../store/stored-entry.js";
import {
  type Checkpoint,
  type CheckpointDiff,
  type Checkpoints,
  isDue,
  NO_CHECKPOINTS,
  withCheckpoint,
} from "./checkpoint.js";
import type { Engine } from "./engine.js";
import { CHECKPOINTS, standingIn } from "./saved-views.js";
import type { Documents, StoredLog } from "./stored-log.js";

export interface SessionCheckpointsInput {
  readonly stored: StoredLog;
  readonly engine: Engine;
  readonly now: () => number;
}

/** The checkpoints of one session, in one of its documents. */
export class SessionCheckpoints {
  readonly #input: SessionCheckpointsInput;

  constructor(input: SessionCheckpointsInput) {
    this.#input = input;
  }

  list(): readonly Checkpoint[] {
    return checkpointsIn({ get: (name) => this.#input.stored.document(name) }).list;
  }

  /** By id, or the latest of a name. */
  find(wanted: string): Checkpoint {
    checkString("checkpoint", wanted);
    const list = this.list();
    const found = list.find(({ id }) => id === wanted) ?? list.findLast(({ name }) => name === wanted);
    if (found !== undefined) return found;
    throw new VarveError({
      code: "not-found",
      message: `There is no checkpoint "${wanted}".`,
      hint: "session.checkpoints() lists those there are.",
      details: { checkpoint: wanted },
    });
  }

  headOf({ head }: Checkpoint): number {
    return sequenceOf(head ?? null);
  }

  /** A name that looks like an id would be taken for one. */
  checkName(name: unknown): void {
    if (name === undefined || (typeof name === "string" && name !== "" && !/^c\d+$/.test(name))) return;
    const allowed = 'a text that is no id of a checkpoint such as "c2": "before the refactor"';
    throw invalidOption({ option: "name", value: name, allowed });
  }

  write(documents: Documents, { head, name }: { head: number; name: string | undefined }): void {
    const { log } = this.#input.engine;
    this.#add(documents, { head, name, entries: log.entries.length, automatic: false });
  }

  /** Adds an automatic checkpoint to an append that makes one due. */
  writeDue(documents: Documents, head: number, added: number): void {
    const { log, options } = this.#input.engine;
    if (!isDue(checkpointsIn(documents), log.entries, { added, every: options.checkpointEvery })) return;
    this.#add(documents, { head, name: undefined, entries: log.entries.length + added, automatic: true });
  }

  writeDeleted(documents: Documents, { id }: Checkpoint): void {
    const checkpoints = checkpointsIn(documents);
    documents.set(CHECKPOINTS, { ...checkpoints, list: checkpoints.list.filter((each) => each.id !== id) });
  }

  restorePins({ pins }: Checkpoint): void {
    this.#input.engine.pins.restore({ pins, ended: [] });
  }

  diff(checkpoint: string, other?: string): CheckpointDiff {
    const { stored } = this.#input;
    const from = branchOf(stored.entries, this.headOf(this.find(checkpoint)));
    const to = other === undefined ? stored.head : this.headOf(this.find(other));
    const branch = branchOf(stored.entries, to);
    const common = commonLength(from, branch);
    return { common: from[common - 1]?.id, removed: from.slice(common), added: branch.slice(common) };
  }

  #add(
    documents: Documents,
    made: { head: number; name: string | undefined; entries: number; automatic: boolean },
  ): void {
    const { engine, now } = this.#input;
    const head = made.head < 0 ? undefined : `e${made.head}`;
    const state = { ...standingIn(documents), pins: engine.pins.state.pins, time: now() };
    documents.set(CHECKPOINTS, withCheckpoint(checkpointsIn(documents), { ...made, ...state, head }));
  }
}

const checkpointsIn = (documents: Pick<Documents, "get">): Checkpoints =>
  (documents.get(CHECKPOINTS) as Checkpoints | undefined) ?? NO_CHECKPOINTS;
