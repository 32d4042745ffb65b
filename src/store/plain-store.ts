import { invalidOption } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { type ListOptions, PAGE_SIZE, type Store } from "./store.js";

/** A driver's methods on a plain object: whoever wraps a store may spread it and replace some. */
export function plainStore(driver: Store): Store {
  const { writeContext, readContext, memories, queue, verify, repair, backup } = driver;
  return {
    name: driver.name,
    read: (...given) => driver.read(...given),
    version: (...given) => driver.version(...given),
    commit: (...given) => driver.commit(...given),
    replace: (...given) => driver.replace(...given),
    sessions: async (options = {}) => driver.sessions(checkedList(options)),
    delete: (...given) => driver.delete(...given),
    ...(writeContext && { writeContext: (...given) => writeContext.apply(driver, given) }),
    ...(readContext && { readContext: (...given) => readContext.apply(driver, given) }),
    ...(memories && { memories }),
    ...(queue && { queue: () => queue.apply(driver) }),
    ...(verify && { verify: (...given) => verify.apply(driver, given) }),
    ...(repair && { repair: () => repair.apply(driver) }),
    ...(backup && { backup: (target) => backup.call(driver, target) }),
    close: () => driver.close(),
  };
}

const LIST: OptionNames<ListOptions> = { after: true, limit: true, prefix: true };

/** What may be asked of a list of sessions. */
export function checkedList(options: ListOptions): ListOptions {
  checkNames(options, LIST, "varve.sessions");
  const { limit = PAGE_SIZE } = options;
  if (Number.isSafeInteger(limit) && limit >= 1) return options;
  throw invalidOption({ option: "limit", value: limit, allowed: "a whole number from 1" });
}
