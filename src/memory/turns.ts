import { VarveError } from "../errors.js";
import { type Memories, scopeOf, sees } from "../store/memories/memories.js";

/**
 * Changes that one process makes to a scope take turns, first come first served: who plans on a version of the scope is
 * overtaken by other processes alone. What waits next to each other and is of one kind is done as one.
 */
export interface WrittenTo {
  readonly memories: Memories;
  /** `scopeKey` of the scope that is written to. */
  readonly scope: string;
}

/** Does work when all that was asked for before it is done. */
export const inTurn = <T>(target: WrittenTo, work: () => Promise<T>): Promise<T> => lineOf(target).run(work);

/** Does work when all that was asked for before it is done, in the scope and in those within it. */
export function afterEarlier<T>(target: WrittenTo, work: () => Promise<T>): Promise<T> {
  const within = linesWithin(target).map((line) => line.last);
  return inTurn(target, async () => {
    await Promise.all(within);
    return work();
  });
}

/** Items to be dealt with together with those of others. */
interface Gathered<Item, Result> {
  readonly items: readonly Item[];
  /** Only what has the same one, and the same label, is done as one. */
  readonly host: object;
  readonly label: string;
  /** Items that are done as one at most, unless a caller has more. */
  readonly most: number;
  /** Gives a result for each item, in their order. */
  work(items: readonly Item[]): Promise<readonly Result[]>;
}

/** Deals with items in turn, as one with those that wait right before them. */
export const gatherInTurn = <Item, Result>(
  target: WrittenTo,
  gathered: Gathered<Item, Result>,
): Promise<readonly Result[]> => lineOf(target).gather(gathered);

type Outcome = PromiseSettledResult<readonly unknown[]>;

/** What waits at the end of a line and others may join. */
interface Gathering {
  readonly host: object;
  readonly label: string;
  readonly parts: (readonly unknown[])[];
  size: number;
  readonly outcomes: Promise<readonly Outcome[]>;
}

class Line {
  readonly #onIdle: () => void;
  #last: Promise<unknown> = Promise.resolve();
  #gathering: Gathering | undefined;
  #waiting = 0;

  constructor(onIdle: () => void) {
    this.#onIdle = onIdle;
  }

  /** Settles when all that stands in the line is done; never fails. */
  get last(): Promise<unknown> {
    return this.#last;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    this.#gathering = undefined;
    return this.#add(work);
  }

  async gather<Item, Result>(gathered: Gathered<Item, Result>): Promise<readonly Result[]> {
    const gathering = this.#joinable(gathered) ?? this.#begin(gathered);
    const at = gathering.parts.push(gathered.items) - 1;
    gathering.size += gathered.items.length;
    const outcome = (await gathering.outcomes)[at]!;
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value as readonly Result[];
  }

  #joinable<Item>({ host, label, items, most }: Gathered<Item, unknown>): Gathering | undefined {
    const last = this.#gathering;
    return last?.host === host && last.label === label && last.size + items.length <= most ? last : undefined;
  }

  #begin<Item>({ host, label, work }: Gathered<Item, unknown>): Gathering {
    const parts: (readonly Item[])[] = [];
    const outcomes = this.#add(() => {
      if (this.#gathering === gathering) this.#gathering = undefined;
      return settled(parts, work);
    });
    const gathering: Gathering = { host, label, parts: parts as (readonly unknown[])[], size: 0, outcomes };
    this.#gathering = gathering;
    return gathering;
  }

  #add<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    const done = this.#last.then(work).finally(() => {
      if (--this.#waiting === 0) this.#onIdle();
    });
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** What fails for all alike is everyone's error; else each part is dealt with by itself, so that none fails for another. */
async function settled<Item>(
  parts: readonly (readonly Item[])[],
  work: (items: readonly Item[]) => Promise<readonly unknown[]>,
): Promise<readonly Outcome[]> {
  try {
    const results = await work(parts.flat());
    let from = 0;
    return parts.map(({ length }) => {
      from += length;
      return { status: "fulfilled", value: results.slice(from - length, from) };
    });
  } catch (reason) {
    if (parts.length === 1 || (VarveError.isInstance(reason) && reason.retryable))
      return parts.map(() => ({ status: "rejected", reason }));
    const outcomes: Outcome[] = [];
    for (const part of parts) outcomes.push(...(await settled([part], work)));
    return outcomes;
  }
}

const lines = new WeakMap<Memories, Map<string, Line>>();

function lineOf({ memories, scope }: WrittenTo): Line {
  const ofMemories = lines.get(memories) ?? new Map<string, Line>();
  lines.set(memories, ofMemories);
  const line = ofMemories.get(scope) ?? new Line(() => ofMemories.delete(scope));
  ofMemories.set(scope, line);
  return line;
}

/** The lines of narrower scopes. Who waits for those is waited for by none of them. */
function linesWithin({ memories, scope }: WrittenTo): Line[] {
  const owners = scopeOf(scope);
  const ofMemories = [...(lines.get(memories) ?? [])];
  return ofMemories.flatMap(([key, line]) => (key !== scope && sees(owners, scopeOf(key)) ? [line] : []));
}
