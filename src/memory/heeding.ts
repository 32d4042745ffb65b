import { type MemoryRow, type Scope, scopeOf } from "../store/memories/memories.js";
import { type MemoryRequest, requestsIn } from "./facts/requests.js";
import { withoutSpans } from "./facts/spans.js";
import { type ForgetPorts, type ForgetReceipt, forgetRows } from "./forgetting.js";
import { currentKeys, keyOf } from "./keys.js";
import { rowsLapsed, rowsMeant } from "./meant.js";
import type { MemoryInput, StoreReceipt } from "./memory.js";
import { sourceOf } from "./prepare.js";
import { bodyOf, iso, type MemoryBody } from "./row.js";
import { type StorePorts, storeTexts, tooBusy } from "./storing.js";

/** What came of a turn. */
export interface ObserveReceipt {
  /** One for each text. */
  readonly texts: readonly StoreReceipt[];
  /** What the user asked to be forgotten, and was. */
  readonly forgotten: readonly ForgetReceipt[];
  /** Ids of the memories that the user said to hold no longer. */
  readonly ended: readonly string[];
  /**
   * What the user asked and was not done: that everything be forgotten, which is for the program to confirm, or
   * something that no memory was found for with certainty. In the user's words.
   */
  readonly asked: readonly string[];
}

export type ObservePorts = StorePorts & ForgetPorts;

const ATTEMPTS = 20;

/**
 * Takes in what was said: it is stored, and what the user asks of the memory itself is done. The sentence that asks is
 * not stored, for it repeats what is to go; the rest of its text is.
 */
export async function observeTexts(
  scope: Scope,
  inputs: readonly MemoryInput[],
  ports: ObservePorts,
): Promise<ObserveReceipt> {
  const observing = new Observing(scope, ports);
  for (const input of inputs) await observing.take(input);
  return observing.receipt();
}

class Observing {
  readonly #scope: Scope;
  readonly #ports: ObservePorts;
  readonly #texts: StoreReceipt[] = [];
  readonly #forgotten: ForgetReceipt[] = [];
  readonly #ended: string[] = [];
  readonly #asked: string[] = [];
  #plain: MemoryInput[] = [];

  constructor(scope: Scope, ports: ObservePorts) {
    this.#scope = scope;
    this.#ports = ports;
  }

  async take(input: MemoryInput): Promise<void> {
    const requests = sourceOf(input) === "user" ? requestsIn(input.content) : [];
    if (requests.length === 0) {
      this.#plain.push(input);
      return;
    }
    await this.#store();
    const heeded: MemoryRequest[] = [];
    let done = false;
    for (const request of requests) {
      const carried = await this.#heed(request, input);
      done ||= carried;
      if (carried || request.kind !== "lapse") heeded.push(request);
    }
    const content = withoutSpans(input.content, heeded);
    if (content === "") this.#texts.push(refused(input, done));
    else this.#plain.push({ ...input, content });
  }

  async receipt(): Promise<ObserveReceipt> {
    await this.#store();
    return { texts: this.#texts, forgotten: this.#forgotten, ended: this.#ended, asked: this.#asked };
  }

  async #store(): Promise<void> {
    this.#texts.push(...(await storeTexts(this.#scope, this.#plain, this.#ports)));
    this.#plain = [];
  }

  /** Whether a memory was found that the request means. Of one that says only what is so, nothing else is expected. */
  async #heed({ kind, what, text }: MemoryRequest, { speaker, entries: request = [] }: MemoryInput): Promise<boolean> {
    const rows = await this.#rows({ kind, what, speaker });
    if (rows.length === 0) {
      if (kind !== "lapse") this.#asked.push(text);
      return false;
    }
    if (kind === "forget") this.#forgotten.push(await forgetRows(this.#scope, rows, { ...this.#ports, request }));
    else for (const row of rows) this.#ended.push(await endRow(row, this.#ports));
    return true;
  }

  async #rows({ kind, ...described }: Described): Promise<MemoryRow[]> {
    const { memories } = this.#ports;
    if (kind === "forget-all") return [];
    if (kind === "forget") return rowsMeant(this.#scope, described, memories);
    const find = kind === "lapse" ? rowsLapsed : rowsMeant;
    return (await find(this.#scope, described, memories)).filter(({ until }) => until === undefined);
  }
}

interface Described extends Pick<MemoryRequest, "kind" | "what"> {
  readonly speaker: string | undefined;
}

const refused = ({ id = "" }: MemoryInput, done: boolean): StoreReceipt => ({
  id,
  status: "refused",
  reason: done
    ? "It asks for something of the memory itself, which was done."
    : "It asks for something of the memory itself, which was not done: nothing matched, or the program has to confirm it.",
  superseded: [],
  redacted: [],
});

/** Ends what holds of a row, on what it says at the time of writing; one that is gone by then is ended already. */
async function endRow(ending: MemoryRow, { memories, now }: ObservePorts): Promise<string> {
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
