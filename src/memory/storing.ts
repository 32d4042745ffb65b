import { VarveError } from "../errors.js";
import type { Memories, MemoryRow, Scope } from "../store/memories/memories.js";
import { scopeKey } from "../store/memories/memories.js";
import type { Changes, PlanContext } from "./desk.js";
import type { EmbedderPool } from "./embedder-pool.js";
import type { EndedValue, MemoryInput, StoreReceipt } from "./memory.js";
import { type Prepared, prepare } from "./prepare.js";
import { RowCompleter } from "./row-completer.js";
import { type FactAddition, keysFor, keysForFacts, planFacts, planStore } from "./store-plan.js";
import { gatherInTurn, inTurn, type WrittenTo } from "./turns.js";

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
  return gatherInTurn(targetOf(scope, ports), {
    items: texts,
    host: ports.pool,
    label: JSON.stringify(scope.tags ?? []),
    most: BATCH,
    work: async (all) => {
      const plan = (rows: readonly MemoryRow[], context: PlanContext) => planStore(all, rows, context);
      return (await attempt(scope, { keys: all.flatMap(keysFor), plan }, ports)).receipts;
    },
  });
}

const targetOf = (scope: Scope, { memories }: Pick<StorePorts, "memories">): WrittenTo => ({
  memories,
  scope: scopeKey(scope),
});

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

type ChangePorts = Pick<StorePorts, "memories" | "pool" | "now" | "warn">;

/** Carries a change of a scope out, when those that this process began before are done. */
export const carryOut = <Plan extends Changes>(
  scope: Scope,
  undertaking: Undertaking<Plan>,
  ports: ChangePorts,
): Promise<Plan> => inTurn(targetOf(scope, ports), () => attempt(scope, undertaking, ports));

/** Plans a change until it can be written on what it was planned on. */
async function attempt<Plan extends Changes>(
  scope: Scope,
  { keys, plan }: Undertaking<Plan>,
  ports: ChangePorts,
): Promise<Plan> {
  const key = scopeKey(scope);
  const completer = new RowCompleter(ports.pool, ports.warn);
  for (let left = ATTEMPTS; left > 0; left--) {
    const { planned, version } = await planOn(scope, { keys, plan }, ports);
    const { amend, remove } = planned;
    if (planned.put.length + amend.length + remove.length === 0) return planned;
    const put = await completer.complete(planned.put);
    const outcome = await ports.memories.write({ scope: key, version, put, amend, remove });
    if (outcome.status === "written") return planned;
  }
  throw tooBusy(key);
}

/** A plan, and the version of the scope that it is made on. It may name more rows that it has to do with. */
export async function planOn<Plan extends Changes>(
  scope: Scope,
  { keys, plan }: Undertaking<Plan>,
  { memories, now }: Pick<StorePorts, "memories" | "now">,
): Promise<{ readonly planned: Plan; readonly version: number }> {
  const asked = new Set(keys);
  for (;;) {
    const { version, rows } = await memories.find(withoutTags(scope), [...asked]);
    const planned = plan(rows, { scope: scopeKey(scope), now: now(), tags: scope.tags, keys: asked });
    if (planned.wanted.length === 0) return { planned, version };
    for (const key of planned.wanted) asked.add(key);
  }
}

/** What is superseded or repeated in a scope is so whatever its tags. */
const withoutTags = ({ tags: _, ...owners }: Scope): Scope => owners;

export const tooBusy = (scope: string): VarveError =>
  new VarveError({
    code: "store-busy",
    message: `Other processes wrote to the memories of ${scope} faster than this one could.`,
    hint: "Try again, or store more texts at a time with storeMany.",
    retryable: true,
    details: { scope },
  });
