/**
 * The calls of a turn that wait for a result without an id. A round is what was called between two runs of results.
 * Each queue is walked by two heads that only move on, so that finding all calls takes as long as there are calls.
 */
import type { AssistantPart } from "../message/types.js";

interface OpenCall {
  readonly id: string;
  readonly round: number;
  isTaken: boolean;
}

interface Queue {
  readonly calls: OpenCall[];
  /** Where the first open call of the latest round, and the first open one of all, is looked for. */
  latest: number;
  first: number;
}

export class OpenCalls {
  readonly #byName = new Map<string, Queue>();
  readonly #all: Queue = { calls: [], latest: 0, first: 0 };
  readonly #reserved: ReadonlySet<string>;
  #round = 0;

  /** Calls with a reserved id are answered by that id alone. */
  constructor(reserved: ReadonlySet<string>) {
    this.#reserved = reserved;
  }

  startRound(): void {
    this.#round++;
  }

  add(parts: readonly AssistantPart[]): void {
    for (const part of parts) {
      if (part.type !== "tool-call" || this.#reserved.has(part.toolCallId)) continue;
      const call = { id: part.toolCallId, round: this.#round, isTaken: false };
      this.#all.calls.push(call);
      this.#queue(part.toolName).calls.push(call);
    }
  }

  /** The id of the first open call of a name, or of any for a result without one. It is open no more. */
  take(name: string | undefined): string | undefined {
    const queue = name ? this.#byName.get(name) : this.#all;
    const call = queue && this.#first(queue);
    if (call === undefined) return undefined;
    call.isTaken = true;
    return call.id;
  }

  #first(queue: Queue): OpenCall | undefined {
    const { calls } = queue;
    const isPast = (call: OpenCall) => call.isTaken || call.round < this.#round;
    while (queue.latest < calls.length && isPast(calls[queue.latest]!)) queue.latest++;
    while (queue.first < calls.length && calls[queue.first]!.isTaken) queue.first++;
    return calls[queue.latest] ?? calls[queue.first];
  }

  #queue(name: string): Queue {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const queue: Queue = { calls: [], latest: 0, first: 0 };
    this.#byName.set(name, queue);
    return queue;
  }
}
