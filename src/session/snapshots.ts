import { contextSnapshot } from "../compaction/context-snapshot.js";
import { invalidOption, VarveError } from "../errors.js";
import { messageText } from "../message/content.js";
import { unknownName, unknownOption } from "../message/option-names.js";
import { isObject } from "../message/plain-value.js";
import type { Message } from "../message/types.js";
import { readSnapshot, removeSnapshots, type SnapshotPlace, writeSnapshot } from "../store/drivers/snapshot-files.js";
import type { Engine } from "./engine.js";

export interface SnapshotOptions {
  /** Where they are written, a folder for each session; ".varve/snapshots" unless given. */
  readonly folder?: string;
  /** Messages from one snapshot to the next; 20 unless given. */
  readonly every?: number;
  /** Snapshots of a session that are kept; 3 unless given. */
  readonly keep?: number;
  /** A secret to sign them with. Those that are not signed by it are then refused. */
  readonly key?: string;
}

export interface SnapshotSettings {
  readonly folder: string;
  readonly every: number;
  readonly keep: number;
  readonly key: string | undefined;
}

/** From the working folder. */
export const SNAPSHOT_FOLDER = ".varve/snapshots";

const DEFAULTS: SnapshotSettings = { folder: SNAPSHOT_FOLDER, every: 20, keep: 3, key: undefined };

/** What a session went on from, where its store did not know it. */
export interface Recall {
  readonly file: string;
  readonly messages: number;
  /** Snapshots that were newer and could not be used. */
  readonly refused: readonly VarveError[];
}

export function resolveSnapshots(options: boolean | SnapshotOptions | undefined): SnapshotSettings | undefined {
  if (options === undefined || options === false) return undefined;
  if (options === true) return DEFAULTS;
  checkSnapshotNames(options);
  const settings = { ...DEFAULTS, ...options };
  for (const option of ["every", "keep"] as const) {
    const value = settings[option];
    if (!(Number.isInteger(value) && value >= 1))
      throw invalidOption({ option: `snapshots.${option}`, value, allowed: "a whole number from 1" });
  }
  return settings;
}

function checkSnapshotNames(options: unknown): void {
  const allowed = "true, or an object with folder, every, keep, key";
  if (!isObject(options)) throw invalidOption({ option: "snapshots", value: options, allowed });
  const name = unknownName(options, DEFAULTS);
  if (name === undefined) return;
  const known = Object.keys(DEFAULTS);
  throw unknownOption({ option: `snapshots.${name}`, known, of: "openVarve" });
}

export interface SnapshotsInput {
  readonly sessionId: string;
  readonly engine: Engine;
  readonly now: () => number;
  readonly warn: (warning: VarveError) => void;
  readonly settings: SnapshotSettings;
}

/** Writes snapshots of a session as it grows. */
export class Snapshots {
  readonly #input: SnapshotsInput;
  /** Entries of the branch when the latest was written. */
  #written = 0;

  constructor(input: SnapshotsInput) {
    this.#input = input;
  }

  /** Writes one where enough messages have come since the latest. */
  follow(): void {
    const { length } = this.#input.engine.log.entries;
    if (Math.abs(length - this.#written) >= this.#input.settings.every) this.#write();
  }

  /** Writes one where anything has come since the latest. */
  finish(): void {
    if (this.#input.engine.log.entries.length !== this.#written) this.#write();
  }

  /** Removes all there are, and writes one of what is left. */
  startAnew(): void {
    removeSnapshots(this.#place);
    this.#write();
  }

  /** What was appended is durable without it, so that a snapshot that fails is no failure of an append. */
  #write(): void {
    this.#written = this.#input.engine.log.entries.length;
    try {
      this.#writeNow();
    } catch (error) {
      if (!VarveError.isInstance(error)) throw error;
      this.#input.warn(error);
    }
  }

  #writeNow(): void {
    const { engine, now, settings } = this.#input;
    const { log, state, counter, receipts, budget } = engine;
    const latest = receipts.findLast(({ replacedBy }) => replacedBy !== undefined)?.replacedBy;
    const from = Math.max(log.start, state.cut);
    const opening = log.entries.slice(0, log.start).map(({ message }) => message);
    const messages = [
      ...opening.filter((message) => !isRecalled(message)),
      ...log.entries.slice(from).map(({ message }) => message),
    ];
    const before = opening.filter(isRecalled).map(messageText);
    const summaries = from > log.start && latest !== undefined ? [latest, ...before] : before;
    const summary = joined(summaries, budget.usable * EARLIER_SHARE);
    const told = summary === undefined ? {} : { summary };
    writeSnapshot(this.#place, contextSnapshot({ messages, counter, now: now(), ...told }), settings.keep);
  }

  /** The messages of the latest snapshot that is whole, with its summary in front of those that follow it. */
  recall(): { messages: readonly Message[]; recall: Recall } | undefined {
    const refused: VarveError[] = [];
    const found = readSnapshot(this.#place, (fault) => {
      refused.push(fault);
      this.#input.warn(fault);
    });
    if (found === undefined) return undefined;
    const { messages, summary } = found.snapshot;
    const start = messages.findIndex(({ role }) => role !== "system");
    const told: Message[] = summary === undefined ? [] : [{ role: "system", content: titled(summary) }];
    const all = messages.toSpliced(start < 0 ? messages.length : start, 0, ...told);
    return { messages: all, recall: { file: found.file, messages: all.length, refused } };
  }

  /** From here on it counts what comes. */
  recalled(): void {
    this.#written = this.#input.engine.log.entries.length;
  }

  get #place(): SnapshotPlace {
    const { settings, sessionId } = this.#input;
    return { folder: settings.folder, sessionId, key: settings.key };
  }
}

const TITLE = "[Memory Summary]";
/** Characters for each token of the window that a snapshot keeps of the summaries before its own. */
const EARLIER_SHARE = 0.5;

/** The summary of the snapshot that a session went on from: the next snapshot has it in its own. */
const isRecalled = (message: Message): boolean => message.role === "system" && messageText(message).startsWith(TITLE);

/** The latest summary whole, and behind it so many characters of those before it. */
function joined([latest, ...before]: readonly string[], most: number): string | undefined {
  if (latest === undefined) return undefined;
  const earlier = before
    .map((text) => text.replace(/^\[Memory Summary\]\s*(?:Previous conversation context:)?\s*/, ""))
    .join("\n\n");
  return earlier === "" ? latest : `${latest}\n\nBefore that: ${earlier.slice(0, most)}`;
}

const titled = (summary: string): string =>
  summary.startsWith(TITLE) ? summary : `${TITLE} Previous conversation context: ${summary}`;
