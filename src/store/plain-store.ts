import type { Store } from "./store.js";

/** A driver's methods on a plain object: whoever wraps a store may spread it and replace some. */
export function plainStore(driver: Store): Store {
  const { writeContext, readContext } = driver;
  return {
    name: driver.name,
    read: (...given) => driver.read(...given),
    version: (...given) => driver.version(...given),
    commit: (...given) => driver.commit(...given),
    sessions: (...given) => driver.sessions(...given),
    delete: (...given) => driver.delete(...given),
    ...(writeContext && { writeContext: (...given) => writeContext.apply(driver, given) }),
    ...(readContext && { readContext: (...given) => readContext.apply(driver, given) }),
    close: () => driver.close(),
  };
}
