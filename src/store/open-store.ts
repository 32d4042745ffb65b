import { VarveError } from "../errors.js";
import { memoryStore } from "./drivers/memory.js";
import type { Store } from "./store.js";

/** A store by its address, or the store itself. */
export function openStore(store: string | Store = "memory"): Store {
  if (typeof store !== "string") return store;
  if (store === "memory") return memoryStore();
  throw new VarveError({
    code: "invalid-option",
    message: `There is no store for "${store}".`,
    hint: 'Use "memory", or pass a Store of your own.',
    details: { option: "store", value: store },
  });
}
