/**
 * How views survive their process. Each state that differs from the one before is a row of its own, a
 * document `viewer/N`; the pointer says which one the next view goes on from, and what has been sent since. A row stays
 * as long as the pointer, a step back or a checkpoint names it.
 */

import { sameValue } from "../message/plain-value.js";
import { stateFromJSON, stateToJSON } from "../message/value-json.js";
import type { ViewState } from "../view/plan.js";
import type { Receipt } from "../view/receipt.js";
import type { View } from "../view/view.js";
import type { Checkpoint } from "./checkpoint.js";
import { type Engine, type MadeView, RECENT, STEPS, startedAnew, type UndoStep } from "./engine.js";
import { replace } from "./session-documents.js";
import { type Standing, sentIn, withSent } from "./standing.js";
import type { Documents, StoredLog } from "./stored-log.js";

interface Pointer extends Standing {
  readonly next: number;
  /** Head of the log at which views went back to the row; nothing is cut again until the log has grown. */
  readonly held?: number;
}

interface StepRow extends Standing {
  readonly receipt: string;
}

interface ViewerRow {
  /** The settings that the state belongs to. */
  readonly signature: string;
  readonly state: unknown;
}

const POINTER = "state/viewer";
const UNDO = "state/undo";
const RECEIPTS = "state/receipts";
export const CHECKPOINTS = "state/checkpoints";
const START: Pointer = { row: -1, next: 0 };

const padded = (number: number): string => String(number).padStart(9, "0");
const ROW_NAMES = "viewer/";
const rowName = (row: number): string => ROW_NAMES + padded(row);
const receiptName = (id: string): string => `receipt/${padded(Number(id.slice(1)))}`;
export const RECEIPT_NAMES = "receipt/";

const pointerIn = (documents: Pick<Documents, "get">): Pointer => (documents.get(POINTER) as Pointer) ?? START;
const stepsIn = (documents: Pick<Documents, "get">): readonly StepRow[] => (documents.get(UNDO) as StepRow[]) ?? [];
const countIn = (documents: Pick<Documents, "get">): number =>
  (documents.get(RECEIPTS) as { count: number } | undefined)?.count ?? 0;

/** What the next view goes on from. */
export function standingIn(documents: Documents): Standing {
  const { row, sent } = pointerIn(documents);
  return { row, sent };
}

/** What there is to write of a view, or of a state that came about without one. */
interface ChangedState {
  readonly view: Pick<View, "receipt"> | { readonly receipt?: undefined };
  readonly after: ViewState;
}

/** Somebody else has reduced the view meanwhile: what was made on the state before it does not count. */
export class Overtaken extends Error {}

/** The rows of one session's views, seen from one process. */
export class SavedViews {
  readonly #stored: StoredLog;
  readonly #engine: Engine;
  /** Pointers that this process has written or gone on from: any other is somebody else's. */
  #own = new WeakSet<Pointer>([START]);
  /** The state of the row that views go on from. */
  #state: ViewState;
  /** The highest numbers of receipts and rows that were seen when the session was opened. */
  #receipts = 0;
  #rows = -1;

  constructor(stored: StoredLog, engine: Engine) {
    this.#stored = stored;
    this.#engine = engine;
    this.#state = engine.initial;
  }

  /** Whether somebody else has moved the pointer, or sent something. */
  get isBehind(): boolean {
    return !this.#own.has(pointerIn(this.#known));
  }

  /** The accounts of all reductions that the store holds, oldest first. */
  async receipts(): Promise<Receipt[]> {
    const texts = await this.#stored.fetch([RECEIPT_NAMES]);
    return [...texts.values()].map((text) => JSON.parse(text) as Receipt);
  }

  /** Whether a view is worth a commit. */
  isChanged({ view, after }: MadeView): boolean {
    return view.receipt !== undefined || differs(this.#state, after);
  }

  /** Goes on from the state that the pointer names. */
  async resume(): Promise<void> {
    const pointer = pointerIn(this.#known);
    const { row, held, sent } = pointer;
    const steps = stepsIn(this.#known);
    const count = countIn(this.#known);
    const recent = Array.from({ length: Math.min(RECENT, count) }, (_, at) => receiptName(`r${count - at}`));
    const rows = [row, ...steps.map((step) => step.row)].filter((each) => each >= 0).map(rowName);
    const texts = await this.#stored.fetch([...rows, ...recent, ...this.#uncounted()]);
    this.#receipts = highestIn(texts, RECEIPT_NAMES);
    this.#rows = highestIn(texts, ROW_NAMES);
    const receipts = recent.flatMap((name) => (texts.has(name) ? [JSON.parse(texts.get(name)!) as Receipt] : []));
    const text = texts.get(rowName(row));
    const state = this.#stateIn(text, row);
    const undo = steps.flatMap((step): UndoStep[] => {
      const receipt = receipts.find(({ id }) => id === step.receipt);
      return receipt === undefined ? [] : [{ receipt, row: step.row, state: () => this.#stepState(texts, step) }];
    });
    this.#engine.resume({
      state: withSent(state ?? this.#anew(text), sent),
      receipts: receipts.reverse(),
      undo: state === undefined ? [] : undo,
      held,
    });
    this.#own.add(pointer);
    this.#state = state ?? this.#engine.initial;
  }

  /** Where the document that counts is not there, as in a damaged store, names tell which numbers are taken. */
  #uncounted(): string[] {
    const isThere = (name: string) => this.#stored.document(name) !== undefined;
    return [...(isThere(RECEIPTS) ? [] : [RECEIPT_NAMES]), ...(isThere(POINTER) ? [] : [ROW_NAMES])];
  }

  #stepState(texts: ReadonlyMap<string, string>, { row, sent }: StepRow): ViewState {
    return withSent(this.#stateIn(texts.get(rowName(row)), row) ?? this.#engine.initial, sent);
  }

  /** The state of a row, where it was made under the settings of now. */
  #stateIn(text: string | undefined, row: number): ViewState | undefined {
    const { signature, initial } = this.#engine;
    if (row < 0) return initial;
    if (text === undefined) return undefined;
    const saved = JSON.parse(text) as ViewerRow;
    const state = saved.signature === signature ? (stateFromJSON(saved.state) as Partial<ViewState>) : undefined;
    return state?.version === initial.version ? (state as ViewState) : undefined;
  }

  /** What views start with under settings that are not those of a row. */
  #anew(text: string | undefined): ViewState {
    const { initial, strategy } = this.#engine;
    if (text === undefined) return initial;
    const { signature, state } = JSON.parse(text) as ViewerRow;
    const saved = stateFromJSON(state) as ViewState;
    if (saved.version !== initial.version) return initial;
    return startedAnew(saved, JSON.parse(signature)[0] === strategy.name ? saved.own : initial.own);
  }

  /** Writes what a view sent of which there is no row, unless somebody else has sent something since. */
  sent(state: ViewState): (documents: Documents) => void {
    return (documents) => {
      const pointer = pointerIn(documents);
      if (this.#own.has(pointer)) this.#point(documents, { ...pointer, sent: sentIn(state) });
    };
  }

  #point(documents: Documents, pointer: Pointer): void {
    this.#own.add(pointer);
    replace(documents, POINTER, pointer);
  }

  /** Writes a state as a row of its own, from which the next view goes on. */
  #writeRow(documents: Documents, state: ViewState): void {
    const pointer = pointerIn(documents);
    const row = Math.max(pointer.next, this.#rows + 1);
    documents.set(rowName(row), this.#rowOf(state));
    this.#point(documents, { ...pointer, row, next: row + 1, sent: sentIn(state) });
  }

  /** Writes a view that was made: its state, its receipt, and the step back where it was a reduction. */
  write(documents: Documents, made: ChangedState, before?: ViewState): { id: string; row: number } {
    const pointer = pointerIn(documents);
    if (!this.#own.has(pointer)) throw new Overtaken();
    const count = Math.max(countIn(documents), this.#receipts) + 1;
    const id = `r${count}`;
    this.sweeping(documents, () => {
      this.#writeRow(documents, made.after);
      if (before !== undefined)
        documents.set(
          UNDO,
          [...stepsIn(documents), { receipt: id, row: pointer.row, sent: sentIn(before) }].slice(-STEPS),
        );
    });
    const { receipt } = made.view;
    if (receipt !== undefined) {
      documents.set(RECEIPTS, { count });
      documents.set(receiptName(id), { ...receipt, id });
    }
    return { id, row: pointer.row };
  }

  /** Once `write` is durable. */
  written({ after }: ChangedState): void {
    this.#state = after;
  }

  /** Writes that a reduction was taken back, unless somebody else has gone on from it. */
  undone({ receipt, row }: UndoStep): (documents: Documents) => void {
    const { state, head: held } = this.#engine;
    this.#state = state;
    return (documents) => {
      const steps = stepsIn(documents);
      if (steps.at(-1)?.receipt !== receipt.id) return;
      this.sweeping(documents, () => {
        this.#point(documents, { ...pointerIn(documents), row, held, sent: sentIn(state) });
        documents.set(UNDO, steps.slice(0, -1));
      });
      documents.set(receiptName(receipt.id), undefined);
    };
  }

  /** Writes that views were started anew: there are no steps back from there. */
  restarted(): (documents: Documents) => void {
    const { state } = this.#engine;
    this.#state = state;
    return (documents) =>
      this.sweeping(documents, () => {
        this.#writeRow(documents, state);
        documents.set(UNDO, []);
      });
  }

  /** Views were started anew, and are to go on from the pointer's row. */
  lose(): void {
    this.#own = new WeakSet();
  }

  /** Writes that the next view goes on from a checkpoint's row, at that head of the log. */
  pointTo(documents: Documents, { row, sent, head }: Standing & { readonly head: number }): void {
    this.sweeping(documents, () => {
      const { next } = pointerIn(documents);
      documents.set(POINTER, { row, sent, next, ...(row !== next - 1 && { held: head }) });
      documents.set(UNDO, []);
    });
  }

  /** Removes the rows that nobody names any more after a change. */
  sweeping(documents: Documents, change: () => void): void {
    const before = namedRows(documents);
    change();
    const after = namedRows(documents);
    for (const row of before) if (!after.has(row)) documents.set(rowName(row), undefined);
  }

  /** Turned into text by stores that need text, when they need it. */
  #rowOf(state: ViewState): object {
    const { signature } = this.#engine;
    return { toJSON: (): ViewerRow => ({ signature, state: stateToJSON(state) }) };
  }

  get #known(): Pick<Documents, "get"> {
    return { get: (name) => this.#stored.document(name) };
  }
}

/** What to write so that all views start anew, checkpoints included; given the documents there are, as JSON. */
export function viewsStartedAnew(stored: ReadonlyMap<string, string>): Map<string, unknown> {
  const known = { get: (name: string) => (stored.has(name) ? JSON.parse(stored.get(name)!) : undefined) };
  const rows = [...stored.keys()].filter((name) => name.startsWith(ROW_NAMES));
  const changes = new Map<string, unknown>(rows.map((name) => [name, undefined]));
  if (stored.has(POINTER)) changes.set(POINTER, { ...pointerIn(known), row: -1 });
  if (stored.has(UNDO)) changes.set(UNDO, []);
  const checkpoints = known.get(CHECKPOINTS) as { list: readonly Checkpoint[] } | undefined;
  if (checkpoints !== undefined)
    changes.set(CHECKPOINTS, { ...checkpoints, list: checkpoints.list.map((each) => ({ ...each, row: -1 })) });
  return changes;
}

const highestIn = (texts: ReadonlyMap<string, string>, beginning: string): number =>
  Math.max(
    beginning === ROW_NAMES ? -1 : 0,
    ...[...texts.keys()].flatMap((name) => (name.startsWith(beginning) ? [Number(name.slice(beginning.length))] : [])),
  );

/** Whether a row is to be written. What the latest view showed comes with receipts, and what it sent with the pointer. */
const differs = (one: ViewState, other: ViewState): boolean =>
  one.cut !== other.cut ||
  one.past !== other.past ||
  one.own !== other.own ||
  !sameValue(one.pinned, other.pinned) ||
  !sameValue(one.silent, other.silent);

function namedRows(documents: Documents): Set<number> {
  const checkpoints = (documents.get(CHECKPOINTS) as { list: readonly Checkpoint[] } | undefined)?.list ?? [];
  const rows = [pointerIn(documents), ...stepsIn(documents), ...checkpoints].map(({ row }) => row);
  return new Set(rows.filter((row) => row >= 0));
}
