import { invalidOption, VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import { type MemoryRow, type Scope, scopeOf } from "../store/memories/memories.js";
import { type MemoryRequest, requestsIn } from "./facts/requests.js";
import { withoutSpans } from "./facts/spans.js";
import { type ForgetPorts, type ForgetReceipt, forgetRows, forgetScope } from "./forgetting.js";
import { currentKeys, keyOf } from "./keys.js";
import { rowsLapsed, rowsMeant } from "./meant.js";
import type { EntryReference, MemoryInput, StoreReceipt } from "./memory.js";
import { sourceOf } from "./prepare.js";
import { noteRetellings, type Retelling } from "./retellings.js";
import { bodyOf, iso, type MemoryBody } from "./row.js";
import { type StorePorts, storeTexts, tooBusy } from "./storing.js";
import { inTurn } from "./turns.js";
import { Unkept, unkeptOf } from "./unkept.js";

/** What came of a turn. */
export interface ObserveReceipt {
  /** One for each text. */
  readonly texts: readonly StoreReceipt[];
  /** What the user asked to be forgotten, and was. */
  readonly forgotten: readonly ForgetReceipt[];
  /** Ids of the memories that the user said to hold no longer. */
  readonly ended: readonly string[];
  /** What was asked in a text and not done: `memory.confirm` does it. */
  readonly asked: readonly PendingRequest[];
}

/**
 * A request that waits for a yes: one that stands among other words, which may be another's, that everything be forgotten,
 * or one that no memory was found for.
 */
export interface PendingRequest extends Pick<MemoryRequest, "kind" | "what" | "text"> {
  /** Which of the requests in its text it is, from 1. */
  readonly number: number;
  /** Ids of the memories that were meant when it was asked. */
  readonly memories: readonly string[];
  readonly speaker?: string;
  /** The log entries that ask. */
  readonly entries?: readonly EntryReference[];
}

/** What came of a request that was confirmed. */
export type ConfirmReceipt = Pick<ObserveReceipt, "forgotten" | "ended">;

/** What was said in a turn. */
interface Observed {
  readonly inputs: readonly MemoryInput[];
  /** What the agent only retold, and is not among the inputs. */
  readonly retellings?: readonly Retelling[];
  /** Log entries that hold more than words, such as a file: what they ask waits for a yes. */
  readonly attached?: readonly EntryReference[];
}

export type ObservePorts = StorePorts & ForgetPorts;

const ATTEMPTS = 20;

/**
 * Takes in what was said: it is stored, and what the user asks of the memory itself is done. The sentence that asks is
 * not stored, for it repeats what is to go; the rest of its text is.
 */
export async function observeTexts(
  scope: Scope,
  { inputs, retellings = [], attached = [] }: Observed,
  ports: ObservePorts,
): Promise<ObserveReceipt> {
  await noteRetellings(scope, retellings, ports);
  const observing = new Observing(scope, ports, attached);
  for (const [at, input] of inputs.entries()) await observing.take(input, () => [...answersAfter(inputs, at)]);
  return observing.receipt();
}

/** What the agent says after a text, until the user speaks again. */
function* answersAfter(inputs: readonly MemoryInput[], at: number): Generator<MemoryInput> {
  for (let next = at + 1; next < inputs.length; next++) {
    const source = sourceOf(inputs[next]!);
    if (source === "user") return;
    if (source === "agent") yield inputs[next]!;
  }
}

class Observing {
  readonly #scope: Scope;
  readonly #ports: ObservePorts;
  readonly #attached: ReadonlySet<string>;
  readonly #texts: StoreReceipt[] = [];
  readonly #forgotten: ForgetReceipt[] = [];
  readonly #ended: string[] = [];
  readonly #asked: PendingRequest[] = [];
  #plain: MemoryInput[] = [];
  /** What of the turn is to be kept in no words. */
  #unkept = new Unkept([]);

  constructor(scope: Scope, ports: ObservePorts, attached: readonly EntryReference[]) {
    this.#scope = scope;
    this.#ports = ports;
    this.#attached = new Set(attached.map(keyOf.entry));
  }

  async take(input: MemoryInput, answers: () => readonly MemoryInput[]): Promise<void> {
    const source = sourceOf(input);
    if (source === "agent") this.#takeAnswer(input);
    else if (source === "user") await this.#takeSaid(input, answers);
    else this.#plain.push(input);
  }

  /** What the agent says about what the user wants not kept is not kept either. */
  #takeAnswer(input: MemoryInput): void {
    const content = this.#unkept.without(input.content);
    if (content === "") this.#texts.push({ ...refused(input, true), reason: RETOLD });
    else this.#plain.push(content === input.content ? input : { ...input, content });
  }

  async #takeSaid(input: MemoryInput, answers: () => readonly MemoryInput[]): Promise<void> {
    const requests = requestsIn(input.content);
    this.#unkept = unkeptOf(input.content, requests);
    if (requests.length === 0) {
      this.#plain.push(input);
      return;
    }
    await this.#store();
    const heeded: MemoryRequest[] = [];
    let done = false;
    const isAttached = (input.entries ?? []).some((entry) => this.#attached.has(keyOf.entry(entry)));
    for (const [at, request] of requests.entries()) {
      const rows = await rowsFor(this.#scope, { ...request, speaker: input.speaker }, this.#ports);
      if (rows.length > 0 && request.alone && !isAttached) {
        await this.#carryOut(request, rows, { input, answers: answers() });
        done = true;
      } else if (rows.length > 0 || request.kind === "forget-all" || (request.alone && request.kind !== "lapse")) {
        this.#asked.push(pendingOf(request, { number: at + 1, rows, input }));
      } else continue;
      if (done || request.kind !== "lapse") heeded.push(request);
    }
    const content = withoutSpans(input.content, heeded);
    if (content === "") this.#texts.push(refused(input, done));
    else this.#plain.push(content === input.content ? input : { ...input, content });
  }

  async receipt(): Promise<ObserveReceipt> {
    await this.#store();
    return { texts: this.#texts, forgotten: this.#forgotten, ended: this.#ended, asked: this.#asked };
  }

  async #store(): Promise<void> {
    this.#texts.push(...(await storeTexts(this.#scope, this.#plain, this.#ports)));
    this.#plain = [];
  }

  async #carryOut({ kind }: MemoryRequest, rows: readonly MemoryRow[], turn: AskedTurn): Promise<void> {
    if (kind === "forget") await this.#forget(rows, turn);
    else for (const row of rows) this.#ended.push(await endRow(row, this.#ports));
  }

  /** The request names what is to go, and so may the answers to it. */
  async #forget(rows: readonly MemoryRow[], { input, answers }: AskedTurn): Promise<void> {
    this.#unkept = this.#unkept.and(rows.map((row) => bodyOf(row).content));
    const telling = answers.filter(({ content }) => this.#unkept.isIn(content));
    const entries = [input, ...telling].flatMap((each) => each.entries ?? []);
    const request = { texts: [input.content], entries };
    this.#forgotten.push(await forgetRows(this.#scope, rows, { ...this.#ports, request }));
  }
}

const KINDS = new Set<unknown>(["forget", "forget-all", "expire", "lapse"] satisfies MemoryRequest["kind"][]);

/** Refuses what is no request, before anything is removed by it. */
export function checkPending(request: unknown): PendingRequest {
  const { kind, what, text } = isObject(request) ? request : {};
  if (KINDS.has(kind) && typeof what === "string" && typeof text === "string") return request as PendingRequest;
  throw invalidOption({ option: "request", value: request, allowed: "one of `asked`, as memory.observe returns them" });
}

/** Does what was asked, on the memories that it means by now. */
export async function confirmRequest(
  scope: Scope,
  request: PendingRequest,
  ports: ObservePorts,
): Promise<ConfirmReceipt> {
  const { kind, text, entries = [] } = request;
  if (kind === "forget-all") return { forgotten: [await forgetScope(scope, ports)], ended: [] };
  const rows = await rowsFor(scope, { ...request, speaker: request.speaker }, ports);
  if (rows.length === 0) throw nothingMeant(text);
  if (kind === "forget") {
    return { forgotten: [await forgetRows(scope, rows, { ...ports, request: { texts: [text], entries } })], ended: [] };
  }
  const ended: string[] = [];
  for (const row of rows) ended.push(await endRow(row, ports));
  return { forgotten: [], ended };
}

function pendingOf(
  { kind, what, text }: MemoryRequest,
  {
    number,
    rows,
    input,
  }: { readonly number: number; readonly rows: readonly MemoryRow[]; readonly input: MemoryInput },
): PendingRequest {
  const { speaker, entries } = input;
  const origin = { ...(speaker !== undefined && { speaker }), ...(entries !== undefined && { entries }) };
  return { kind, what, text, number, memories: [...new Set(rows.map((row) => bodyOf(row).id))], ...origin };
}

/** The memories that a request means. */
async function rowsFor(
  scope: Scope,
  { kind, ...described }: Described,
  { memories }: Pick<ObservePorts, "memories">,
): Promise<MemoryRow[]> {
  if (kind === "forget-all") return [];
  if (kind === "forget") return rowsMeant(scope, described, memories);
  const find = kind === "lapse" ? rowsLapsed : rowsMeant;
  return (await find(scope, described, memories)).filter(({ until }) => until === undefined);
}

const nothingMeant = (text: string): VarveError =>
  new VarveError({
    code: "not-found",
    message: `No memory was found that is meant by ${JSON.stringify(text)}.`,
    hint: "memory.list() shows the memories; memory.forget(id) forgets one.",
    details: { text },
  });

interface Described extends Pick<MemoryRequest, "kind" | "what"> {
  readonly speaker: string | undefined;
}

/** A turn in which something is asked of the memory. */
interface AskedTurn {
  readonly input: MemoryInput;
  readonly answers: readonly MemoryInput[];
}

const RETOLD = "It tells what its author asks to be not kept.";

const refused = ({ id = "" }: MemoryInput, done: boolean): StoreReceipt => ({
  id,
  status: "refused",
  reason: done
    ? "It asks for something of the memory itself, which was done."
    : "It asks for something of the memory itself, which was not done: nothing matched, or it is to be confirmed.",
  superseded: [],
  redacted: [],
});

/** Ends what holds of a row, on what it says at the time of writing; one that is gone by then is ended already. */
const endRow = (ending: MemoryRow, ports: ObservePorts): Promise<string> =>
  inTurn({ memories: ports.memories, scope: ending.scope }, () => endInTurn(ending, ports));

async function endInTurn(ending: MemoryRow, { memories, now }: ObservePorts): Promise<string> {
  const { id, scope } = ending;
  const memory = bodyOf(ending).id;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { version, rows } = await memories.find(scopeOf(scope), [keyOf.id(memory)]);
    const row = rows.find((found) => found.id === id);
    if (row === undefined || row.until !== undefined) return memory;
    const { status } = await memories.write({ scope, version, amend: [ended(row, now())] });
    if (status === "written") return memory;
  }
  throw tooBusy(scope);
}

function ended(row: MemoryRow, now: number) {
  const body = bodyOf(row);
  const facts = body.facts?.map((fact) => (fact.validUntil === undefined ? { ...fact, validUntil: iso(now) } : fact));
  const past: MemoryBody = { ...body, ...(facts === undefined ? {} : { facts }) };
  return { id: row.id, until: now, keys: currentKeys(past, row.speaker), body: JSON.stringify(past) };
}
