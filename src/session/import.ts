import { z } from "zod";
import { parseDocument } from "../compaction/parse-document.js";
import { invalidOption, VarveError } from "../errors.js";
import { messageProblem } from "../message/check-message.js";
import type { Entry } from "../message/entry.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { messageFromJSON } from "../message/value-json.js";
import { linesOf } from "../store/lines.js";
import type { KeyedAppend, Store } from "../store/store.js";
import { entryOfRow } from "../store/stored-entry.js";
import { EXPORT_FORMAT } from "./export.js";
import { importedDocument } from "./memory/memory-documents.js";
import { type WholeSession, writeSession } from "./write-session.js";

export interface ImportOptions {
  /** What to do with a session that the store has already; "refuse" unless given. */
  readonly existing?: "refuse" | "skip" | "replace";
  /**
   * Whether the lines are believed in whose memories the sessions have: for exports of your own. Unless given they have
   * none until they are opened with some.
   */
  readonly trusted?: boolean;
}

export interface ImportPorts {
  readonly store: Store;
  /** Closes a session that is open here: it is going to be replaced. */
  readonly close: (sessionId: string) => Promise<void>;
}

export interface ImportReport {
  /** Ids of the sessions that were taken in, and of those that were skipped. */
  readonly sessions: readonly string[];
  readonly skipped: readonly string[];
  readonly entries: number;
}

const count = z.int().nonnegative();
const lineSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("varve-export"), format: z.int(), time: z.number() }),
  z.object({
    type: z.literal("session"),
    id: z.string().min(1),
    entries: count,
    head: z.int().min(-1),
    created: z.number(),
    updated: z.number(),
  }),
  z.object({
    type: z.literal("entry"),
    sequence: count,
    parent: z.int().min(-1),
    time: z.number(),
    role: z.enum(["system", "user", "assistant", "tool"]),
    blank: z.boolean(),
    /** In the writing of `messageToJSON`, which wraps some objects. */
    message: z.unknown(),
  }),
  z.object({ type: z.literal("document"), name: z.string(), value: z.unknown() }),
  z.object({ type: z.literal("key"), key: z.string(), first: count, count }),
  z.object({ type: z.literal("end"), sessions: count, entries: count }),
]);

type Line = z.infer<typeof lineSchema>;

/** A session as far as its lines have been read. */
interface Incoming extends WholeSession {
  readonly head: Extract<Line, { type: "session" }>;
  readonly entries: Entry[];
  readonly documents: Map<string, unknown>;
  readonly keys: Map<string, KeyedAppend>;
}

export async function importSessions(
  text: AsyncIterable<string | Uint8Array> | Iterable<string>,
  options: ImportOptions,
  ports: ImportPorts,
): Promise<ImportReport> {
  const importer = new Importer(ports, checkOptions(options));
  let number = 0;
  for await (const line of linesOf(text)) await importer.take(line, ++number);
  return importer.report(number);
}

class Importer {
  readonly #ports: ImportPorts;
  readonly #options: Required<ImportOptions>;
  readonly #sessions: string[] = [];
  readonly #skipped: string[] = [];
  #entries = 0;
  #read = 0;
  #incoming: Incoming | undefined;
  #ended = false;

  constructor(ports: ImportPorts, options: Required<ImportOptions>) {
    this.#ports = ports;
    this.#options = options;
  }

  async take(text: string, number: number): Promise<void> {
    const line = parseLine(text, number);
    if ((line.type === "varve-export") !== (number === 1)) throw damaged(number, "a file begins with its head, once");
    if (line.type === "varve-export" && line.format > EXPORT_FORMAT) throw newer(line.format);
    if (line.type === "session" || line.type === "end") await this.#finish(number);
    if (line.type === "session") this.#incoming = { head: line, entries: [], documents: new Map(), keys: new Map() };
    if (line.type === "end") this.#end(line, number);
    if (line.type === "entry" || line.type === "document" || line.type === "key") this.#add(line, text, number);
  }

  report(lines: number): ImportReport {
    if (!this.#ended) throw damaged(lines, "the file ends before its last line");
    return { sessions: this.#sessions, skipped: this.#skipped, entries: this.#entries };
  }

  #add(line: Extract<Line, { type: "entry" | "document" | "key" }>, text: string, number: number): void {
    const incoming = this.#incoming;
    if (incoming === undefined) throw damaged(number, "it belongs to no session");
    if (line.type === "document") incoming.documents.set(line.name, this.#document(line));
    else if (line.type === "key") incoming.keys.set(line.key, { first: line.first, count: line.count });
    else {
      if (line.sequence !== incoming.entries.length || line.parent >= line.sequence)
        throw damaged(number, "the entries are not in order");
      incoming.entries.push(entryOfRow({ ...line, message: checkedMessage(text, number) }));
    }
  }

  #document({ name, value }: Extract<Line, { type: "document" }>): unknown {
    return this.#options.trusted ? value : importedDocument(name, value);
  }

  #end({ sessions, entries }: Extract<Line, { type: "end" }>, number: number): void {
    const read = this.#sessions.length + this.#skipped.length;
    if (sessions !== read || entries !== this.#read) throw damaged(number, "lines are missing");
    this.#ended = true;
  }

  async #finish(number: number): Promise<void> {
    const incoming = this.#incoming;
    this.#incoming = undefined;
    if (incoming === undefined) return;
    const { head, entries } = incoming;
    if (entries.length !== head.entries || head.head >= entries.length)
      throw damaged(number, `entries of the session "${head.id}" are missing`);
    this.#read += entries.length;
    const { existing } = this.#options;
    const exists = await isThere(this.#ports.store, head.id);
    if (exists && existing === "refuse") throw alreadyThere(head.id);
    if (exists && existing === "skip") {
      this.#skipped.push(head.id);
      return;
    }
    if (exists) await this.#ports.close(head.id);
    await writeSession(this.#ports.store, incoming, existing === "replace");
    this.#sessions.push(head.id);
    this.#entries += entries.length;
  }
}

/** A session that is damaged is there, and may be replaced. */
async function isThere(store: Store, id: string): Promise<boolean> {
  try {
    return (await store.version(id)) > 0;
  } catch (error) {
    if (VarveError.isInstance(error) && error.code === "store-damaged") return true;
    throw error;
  }
}

const OPTIONS: OptionNames<ImportOptions> = { existing: true, trusted: true };

function checkOptions(options: ImportOptions): Required<ImportOptions> {
  const { existing = "refuse", trusted = false } = checkNames(options, OPTIONS, "varve.import");
  if (existing !== "refuse" && existing !== "skip" && existing !== "replace")
    throw invalidOption({ option: "existing", value: existing, allowed: '"refuse", "skip" or "replace"' });
  if (typeof trusted !== "boolean")
    throw invalidOption({ option: "trusted", value: trusted, allowed: "true or false" });
  return { existing, trusted };
}

/** The message of an entry's line as text; parsed anew, since a schema's copy may lack odd fields. */
function checkedMessage(line: string, number: number): string {
  const text = JSON.stringify((JSON.parse(line) as { message?: unknown }).message ?? null);
  const problem = messageProblem(parsedMessage(text, number));
  if (problem !== undefined) throw damaged(number, `its message ${problem}`);
  return text;
}

function parsedMessage(text: string, number: number): unknown {
  try {
    return messageFromJSON(text);
  } catch (error) {
    throw damaged(number, "its message cannot be read", error);
  }
}

function parseLine(text: string, number: number): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(number, "it is no JSON", error);
  }
  return parseDocument(lineSchema, value, {
    name: `line ${number} of the import`,
    hint: "Make the export again; the sessions before this line were taken in.",
  });
}

const damaged = (number: number, why: string, cause?: unknown): VarveError =>
  new VarveError({
    code: "invalid-document",
    message: `Line ${number} of the import cannot be used: ${why}.`,
    hint: "Make the export again; the sessions before this line were taken in.",
    cause,
    details: { line: number },
  });

const newer = (format: number): VarveError =>
  new VarveError({
    code: "store-newer",
    message: `The import has format ${format}; this release knows formats up to ${EXPORT_FORMAT}.`,
    hint: "Update varve.",
    details: { format, known: EXPORT_FORMAT },
  });

const alreadyThere = (id: string): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `The store has a session "${id}" already.`,
    hint: 'Import with { existing: "skip" } or { existing: "replace" }, or into another store.',
    details: { session: id },
  });
