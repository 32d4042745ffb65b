import { VarveError } from "../errors.js";
import type { Memories, MemoryRow, Scope } from "../store/memories/memories.js";
import { scopeKey, scopeOf } from "../store/memories/memories.js";
import type { Changes, PlanContext } from "./desk.js";
import type { EmbedderPool } from "./embedder-pool.js";
import type { EndedValue, MemoryInput, StoreReceipt } from "./memory.js";
import { type Prepared, prepare } from "./prepare.js";
import { RowCompleter } from "./row-completer.js";
import { type FactAddition, keysFor, keysForFacts, planFacts, planStore, type StorePlan } from "./store-plan.js";
import { afterEarlier, gatherInTurn, inTurn, type WrittenTo } from "./turns.js";

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
    work: async (all) => (await attempt(scope, storing(all), ports)).receipts,
  });
}

const storing = (texts: readonly Prepared[]): Undertaking<StorePlan> => ({
  keys: texts.flatMap(keysFor),
  plan: (rows, context) => planStore(texts, rows, context),
});

/** A text to be stored in place of another, and the scope that it is of. */
export interface Replacement {
  readonly scope: Scope;
  readonly input: MemoryInput;
}

/** Stores what is made of a memory in a scope, or in one within it, when all that was asked for before is done. */
export async function replaceText(
  scope: Scope,
  make: () => Promise<Replacement>,
  ports: StorePorts,
): Promise<StoreReceipt> {
  const own = targetOf(scope, ports);
  const { made, done } = await afterEarlier(own, async () => {
    const replacement = await make();
    if (scopeKey(replacement.scope) !== own.scope) return { made: replacement, done: undefined };
    const { now, newId, allowSecrets } = ports;
    const text = prepare(replacement.input, { scope: replacement.scope, now: now(), newId, allowSecrets });
    return { made: replacement, done: await attempt(replacement.scope, storing([text]), ports) };
  });
  return done === undefined ? (await storeTexts(made.scope, [made.input], ports))[0]! : done.receipts[0]!;
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

/** Plans a change until it can be written on what it was planned on. Vectors that are not there in time follow. */
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
    if (outcome.status !== "written") continue;
    const ids = put.flatMap((row) => (row.vectors === undefined ? [row.id] : []));
    if (completer.late !== undefined) ports.pool.follow(addLate(scopeOf(key), { ids, completer }, ports));
    return planned;
  }
  throw tooBusy(key);
}

interface Late {
  /** Of rows that were written without vectors. */
  readonly ids: readonly string[];
  readonly completer: RowCompleter;
}

/** Adds vectors that came late to what is left of their rows. */
async function addLate(scope: Scope, { ids, completer }: Late, { memories, pool, warn }: ChangePorts): Promise<void> {
  await completer.late;
  try {
    await memories.addVectors(pool.inUse.name, completer.vectorsFor(await memories.get(scope, ids)));
  } catch (cause) {
    warn(lateVectors(ids.length, cause));
  }
}

const lateVectors = (count: number, cause: unknown): VarveError =>
  new VarveError({
    code: "embedding-failed",
    message: `${count} memories were stored without vectors, since these came late and could not be added.`,
    hint: "They are found by their words; varve.embed() makes the vectors.",
    cause,
    retryable: true,
  });

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
