import { strict as assert } from "node:assert";
import type { Store } from "../store/store.js";
import type { Check } from "./check.js";
import { memoriesConcurrencyChecks } from "./memories-concurrency-checks.js";
import { memoriesDurableChecks } from "./memories-durable-checks.js";
import { redactionChecks } from "./memories-redaction-checks.js";
import { removalChecks } from "./memories-removal-checks.js";
import { rowChecks } from "./memories-row-checks.js";
import { scopeChecks } from "./memories-scope-checks.js";
import { memoriesSearchChecks } from "./memories-search-checks.js";
import type { MemoriesAct, MemoriesActs } from "./memories-subject.js";
import { vectorChecks } from "./memories-vector-checks.js";
import type { StoreSubject } from "./store-subject.js";

let places = 0;

/**
 * What the memories of every store must do, as a list of named checks for any test runner.
 *
 * @example
 * ```ts
 * import { memoriesChecks } from "varve/testing";
 *
 * const folder = mkdtempSync(join(tmpdir(), "memories-"));
 * for (const { name, run } of memoriesChecks({ open: (place) => myStore(join(folder, place)) })) test(name, run);
 * ```
 */
export function memoriesChecks(subject: StoreSubject): Check[] {
  const acts: MemoriesActs = {
    ...rowChecks,
    ...scopeChecks,
    ...memoriesSearchChecks,
    ...vectorChecks,
    ...removalChecks,
    ...redactionChecks,
    ...memoriesConcurrencyChecks,
    ...(subject.durable !== false && memoriesDurableChecks),
  };
  return Object.entries(acts).map(([name, act]) => ({ name, run: () => runOn(subject, act) }));
}

async function runOn(subject: StoreSubject, act: MemoriesAct): Promise<void> {
  const place = `memories-${process.pid}-${++places}`;
  const opened: Store[] = [];
  const again = async () => {
    const store = opened.length > 0 && subject.durable === false ? opened[0]! : await subject.open(place);
    opened.push(store);
    assert.ok(store.memories, "The store has no memories.");
    return { store, memories: store.memories };
  };
  try {
    await act({ ...(await again()), again });
  } finally {
    await Promise.all(opened.map((store) => store.close()));
  }
}
