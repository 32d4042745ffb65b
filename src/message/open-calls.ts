/**
 * The calls of a turn that a result without an id may answer. A round is what was called between two runs of results.
 * Each queue is walked by heads that only move on, so that finding all calls takes as long as there are calls.
 */
interface Placed<Call> {
  readonly call: Call;
  readonly round: number;
}

interface Queue<Call> {
  readonly calls: Placed<Call>[];
  /** Where the first open call of the latest round, and the first open one of all, is looked for. */
  latest: number;
  first: number;
  /** Where the second open call of the latest round is looked for. */
  second: number;
}

export class OpenCalls<Call> {
  readonly #byName = new Map<string, Queue<Call>>();
  readonly #byWord = new Map<string, Queue<Call>>();
  readonly #all = emptyQueue<Call>();
  readonly #isOpen: (call: Call) => boolean;
  #round = 0;

  /** `isOpen` tells whether a call still waits; one that does not never will again. */
  constructor(isOpen: (call: Call) => boolean) {
    this.#isOpen = isOpen;
  }

  startRound(): void {
    this.#round++;
  }

  add(name: string, call: Call): void {
    const placed = { call, round: this.#round };
    this.#all.calls.push(placed);
    queueOf(this.#byName, name).calls.push(placed);
    queueOf(this.#byWord, lastWord(name)).calls.push(placed);
  }

  /** The first open call of a name, or of any for a result without one. Those of the latest round come first. */
  first(name: string | undefined): Call | undefined {
    return this.#firstOf(name ? this.#byName.get(name) : this.#all);
  }

  /**
   * The call that a result with a name that nobody called may answer: the first open one of that name in another
   * namespace, or else the open call of the latest round where it has just one.
   */
  likely(name: string): Call | undefined {
    const queue = this.#byWord.get(lastWord(name));
    return queue === undefined ? this.#only() : this.#firstOf(queue);
  }

  #firstOf(queue: Queue<Call> | undefined): Call | undefined {
    if (queue === undefined) return undefined;
    const { calls } = queue;
    const latest = this.#latestOf(queue);
    while (queue.first < calls.length && !this.#isOpen(calls[queue.first]!.call)) queue.first++;
    return (latest ?? calls[queue.first])?.call;
  }

  #only(): Call | undefined {
    const queue = this.#all;
    const { calls } = queue;
    const latest = this.#latestOf(queue);
    queue.second = Math.max(queue.second, queue.latest + 1);
    while (queue.second < calls.length && !this.#isOpen(calls[queue.second]!.call)) queue.second++;
    return queue.second < calls.length ? undefined : latest?.call;
  }

  #latestOf(queue: Queue<Call>): Placed<Call> | undefined {
    const { calls } = queue;
    const isPast = ({ call, round }: Placed<Call>) => round < this.#round || !this.#isOpen(call);
    while (queue.latest < calls.length && isPast(calls[queue.latest]!)) queue.latest++;
    return calls[queue.latest];
  }
}

/** Models write `default_api.f` for the tool `f`. */
const lastWord = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":"), name.lastIndexOf("/")) + 1);

function queueOf<Call>(queues: Map<string, Queue<Call>>, name: string): Queue<Call> {
  const known = queues.get(name);
  if (known !== undefined) return known;
  const queue = emptyQueue<Call>();
  queues.set(name, queue);
  return queue;
}

const emptyQueue = <Call>(): Queue<Call> => ({ calls: [], latest: 0, first: 0, second: 0 });
