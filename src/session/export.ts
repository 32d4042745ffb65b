/**
 * Sessions as lines of JSON, one fact a line: a head, then for each session its `session` line, its entries, documents
 * and keys, and an `end` line that says how many there were, so that a file that was cut short is noticed.
 */
import { invalidOption, VarveError } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { messageToJSON } from "../message/value-json.js";
import { type Store, type StoredSession, sessionsIn } from "../store/store.js";
import { parentOf } from "../store/stored-entry.js";

export interface ExportOptions {
  /** Ids of the sessions wanted; all unless given. */
  readonly sessions?: readonly string[];
}

const OPTIONS: OptionNames<ExportOptions> = { sessions: true };

/** Checked where the export is asked for: its first line is read later. */
export function checkExportOptions(options: unknown = {}): ExportOptions {
  const { sessions } = checkNames(options, OPTIONS, "varve.export");
  if (sessions === undefined) return {};
  if (Array.isArray(sessions) && sessions.every((id) => typeof id === "string")) return { sessions };
  throw invalidOption({ option: "sessions", value: sessions, allowed: "a list of ids of sessions" });
}

export interface ExportPorts {
  readonly store: Store;
  readonly now: () => number;
  /** Resolves when everything that is to be in the export is in the store. */
  readonly settle: () => Promise<void>;
}

export const EXPORT_FORMAT = 1;

export async function* exportSessions({ sessions }: ExportOptions, ports: ExportPorts): AsyncGenerator<string> {
  await ports.settle();
  yield line({ type: "varve-export", format: EXPORT_FORMAT, time: ports.now() });
  const count = { sessions: 0, entries: 0 };
  for await (const id of sessions ?? idsIn(ports.store)) {
    const stored = await ports.store.read(id, { documents: [""], keys: true });
    if (stored === undefined) {
      if (sessions === undefined) continue;
      throw notThere(id);
    }
    yield* sessionLines(stored);
    count.sessions++;
    count.entries += stored.entries.length;
  }
  yield line({ type: "end", ...count });
}

async function* idsIn(store: Store): AsyncGenerator<string> {
  for await (const { id } of sessionsIn(store)) yield id;
}

function* sessionLines({ info, entries, documents, keys }: StoredSession): Generator<string> {
  const { id, head, created, updated } = info;
  yield line({ type: "session", id, entries: entries.length, head, created, updated });
  for (const entry of entries) {
    const { sequence, time, role, blank, message } = entry;
    const front = JSON.stringify({ type: "entry", sequence, parent: parentOf(entry), time, role, blank });
    yield `${front.slice(0, -1)},"message":${messageToJSON(message)}}\n`;
  }
  for (const [name, text] of documents)
    yield `${JSON.stringify({ type: "document", name }).slice(0, -1)},"value":${text}}\n`;
  for (const [key, { first, count }] of keys ?? []) yield line({ type: "key", key, first, count });
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;

const notThere = (id: string): VarveError =>
  new VarveError({
    code: "not-found",
    message: `There is no session "${id}" to export.`,
    hint: "varve.sessions() lists those there are.",
    details: { session: id },
  });
