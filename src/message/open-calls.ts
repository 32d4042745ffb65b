/**
 * The calls of a turn that a result without an id may answer. A round is what was called between two runs of results.
 * Each queue is walked by two heads that only move on, so that finding all calls takes as long as there are calls.
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
}

export class OpenCalls<Call> {
  readonly #byName = new Map<string, Queue<Call>>();
  readonly #all: Queue<Call> = { calls: [], latest: 0, first: 0 };
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
    this.#queue(name).calls.push(placed);
  }

  /** The first open call of a name, or of any for a result without one. Those of the latest round come first. */
  first(name: string | undefined): Call | undefined {
    const queue = name ? this.#byName.get(name) : this.#all;
    if (queue === undefined) return undefined;
    const { calls } = queue;
    const isPast = ({ call, round }: Placed<Call>) => round < this.#round || !this.#isOpen(call);
    while (queue.latest < calls.length && isPast(calls[queue.latest]!)) queue.latest++;
    while (queue.first < calls.length && !this.#isOpen(calls[queue.first]!.call)) queue.first++;
    return (calls[queue.latest] ?? calls[queue.first])?.call;
  }

  #queue(name: string): Queue<Call> {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const queue: Queue<Call> = { calls: [], latest: 0, first: 0 };
    this.#byName.set(name, queue);
    return queue;
  }
}
