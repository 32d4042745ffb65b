import { VarveError } from "../errors.js";
import type { Memories, MemoryRow, Scope } from "../store/memories/memories.js";
import { scopeKey } from "../store/memories/memories.js";
import type { EmbedderPool } from "./embedder-pool.js";
import type { EndedValue, MemoryInput, StoreReceipt } from "./memory.js";
import { type Prepared, prepare } from "./prepare.js";
import { RowCompleter } from "./row-completer.js";
import {
  type FactAddition,
  keysFor,
  keysForFacts,
  type PlanContext,
  planFacts,
  planStore,
  type StorePlan,
} from "./store-plan.js";

export interface StorePorts {
  readonly memories: Memories;
  readonly pool: EmbedderPool;
  now(): number;
  newId(): string;
  warn(warning: VarveError): void;
  readonly allowSecrets: boolean;
}

/** Texts written by one change: large enough for speed, small enough that others get a turn. */
const BATCH = 500;
const ATTEMPTS = 50;

/** Stores texts in their order, batch by batch; each batch is there as a whole or not at all. */
export async function storeTexts(
  scope: Scope,
  inputs: readonly MemoryInput[],
  ports: StorePorts,
): Promise<StoreReceipt[]> {
  const options = { scope, now: ports.now(), newId: ports.newId, allowSecrets: ports.allowSecrets };
  const texts = inputs.map((input) => prepare(input, options));
  const receipts: StoreReceipt[] = [];
  for (let from = 0; from < texts.length; from += BATCH) {
    receipts.push(...(await storeBatch(scope, texts.slice(from, from + BATCH), ports)));
  }
  return receipts;
}

async function storeBatch(
  scope: Scope,
  texts: readonly Prepared[],
  ports: StorePorts,
): Promise<readonly StoreReceipt[]> {
  const plan = (rows: readonly MemoryRow[], context: PlanContext) => planStore(texts, rows, context);
  return (await carryOut(scope, { keys: texts.flatMap(keysFor), plan }, ports)).receipts;
}

/** Adds facts to memories that are there; says what they end. Those of memories that are gone are passed over. */
export async function addFacts(
  scope: Scope,
  additions: readonly FactAddition[],
  ports: StorePorts,
): Promise<readonly EndedValue[]> {
  const plan = (rows: readonly MemoryRow[], context: PlanContext) => planFacts(additions, rows, context);
  return (await carryOut(scope, { keys: additions.flatMap(keysForFacts), plan }, ports)).superseded;
}

/** A change that is planned on the rows found under keys, anew each time that somebody else was first. */
interface Undertaking<Plan> {
  readonly keys: readonly string[];
  plan(rows: readonly MemoryRow[], context: PlanContext): Plan;
}

async function carryOut<Plan extends Pick<StorePlan, "put" | "amend">>(
  scope: Scope,
  { keys, plan }: Undertaking<Plan>,
  ports: StorePorts,
): Promise<Plan> {
  const key = scopeKey(scope);
  const completer = new RowCompleter(ports.pool, ports.warn);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { version, rows } = await ports.memories.find(withoutTags(scope), [...new Set(keys)]);
    const planned = plan(rows, { scope: key, now: ports.now() });
    const put = await completer.complete(planned.put);
    const outcome = await ports.memories.write({ scope: key, version, put, amend: planned.amend });
    if (outcome.status === "written") return planned;
  }
  throw tooBusy(key);
}

/** What is superseded or repeated in a scope is so whatever its tags. */
const withoutTags = ({ tags: _, ...owners }: Scope): Scope => owners;

const tooBusy = (scope: string): VarveError =>
  new VarveError({
    code: "store-busy",
    message: `Others wrote to the memories of ${scope} faster than this process could.`,
    hint: "Try again, or store more texts at a time with storeMany.",
    retryable: true,
    details: { scope },
  });
