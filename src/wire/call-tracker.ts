import { OpenCalls } from "../message/open-calls.js";
import type { AssistantPart } from "../message/types.js";

/** How many parts of a message are still looked through one by one. */
const HANDFUL = 16;

/**
 * The calls met so far while decoding a list: it names the tool of a result, and finds the call of one without id.
 * Nearly every result answers the latest message with calls, so that is looked at first; all others are indexed only
 * when a result asks for one of them, and open calls are looked for only when a result comes without an id.
 */
export class CallTracker {
  readonly #messages: (readonly AssistantPart[])[] = [];
  readonly #names = new Map<string, string>();
  /** The names of all in `#names`. */
  readonly #tools = new Set<string>();
  #latest: readonly AssistantPart[] | undefined;
  #indexed = 0;
  readonly #namedIds: () => Iterable<string>;
  #reserved: ReadonlySet<string> | undefined;
  /** Calls and the ids of results of this turn, in their order; those from `#count` on are left over from before. */
  readonly #turn: (readonly AssistantPart[] | string)[] = [];
  #count = 0;
  #read = 0;
  #open: OpenCalls<OpenCall> | undefined;
  #isAnswered = false;
  #isSpoken = false;

  /** `namedIds` gives the ids that results of the whole list name: a result without id takes no such call. */
  constructor(namedIds: () => Iterable<string>) {
    this.#namedIds = namedIds;
  }

  /** The user spoke: the next calls begin a turn, and those before it wait for nothing any more. */
  spoken(): void {
    this.#isSpoken = true;
  }

  /** The parts of an assistant's message. */
  called(parts: readonly AssistantPart[]): void {
    if (!parts.some(isCall)) return;
    if (this.#isSpoken) this.#startTurn();
    this.#latest = parts;
    this.#messages.push(parts);
    this.#turn[this.#count++] = parts;
  }

  /** A result with an id came. Returns the tool of the latest call with this id. */
  answered(id: string): string | undefined {
    this.#turn[this.#count++] = id;
    return this.nameOf(id);
  }

  /** The tool of the latest call with this id. */
  nameOf(id: string): string | undefined {
    const latest = this.#latest;
    if (latest === undefined) return undefined;
    return (latest.length <= HANDFUL ? nameIn(latest, id) : undefined) ?? this.#index().get(id);
  }

  /**
   * A result without id came. Returns the id of the call that it answers: of this turn the first open one of that name,
   * or of any where the result has no name. Calls since the latest results come before older ones. One with a name
   * that nobody called answers the call that is likely meant.
   */
  answer(name?: string): string | undefined {
    const open = this.#readTurn();
    this.#isAnswered = true;
    const call = open.first(name) ?? (name && !this.#isCalled(name) ? open.likely(name) : undefined);
    if (call !== undefined) call.isTaken = true;
    return call?.id;
  }

  #isCalled(name: string): boolean {
    this.#index();
    return this.#tools.has(name);
  }

  #startTurn(): void {
    this.#isSpoken = false;
    this.#isAnswered = false;
    this.#count = 0;
    this.#read = 0;
    this.#open = undefined;
  }

  #readTurn(): OpenCalls<OpenCall> {
    this.#open ??= new OpenCalls(({ isTaken }) => !isTaken);
    for (; this.#read < this.#count; this.#read++) this.#readNext(this.#open, this.#turn[this.#read]!);
    return this.#open;
  }

  #readNext(open: OpenCalls<OpenCall>, next: readonly AssistantPart[] | string): void {
    if (typeof next === "string") this.#isAnswered = true;
    else {
      if (this.#isAnswered) open.startRound();
      this.#isAnswered = false;
      this.#addTo(open, next);
    }
  }

  /** Calls that a result of the list names are answered by their id alone. */
  #addTo(open: OpenCalls<OpenCall>, parts: readonly AssistantPart[]): void {
    this.#reserved ??= new Set(this.#namedIds());
    for (const part of parts) {
      if (part.type !== "tool-call" || this.#reserved.has(part.toolCallId)) continue;
      open.add(part.toolName, { id: part.toolCallId, isTaken: false });
    }
  }

  #index(): ReadonlyMap<string, string> {
    for (; this.#indexed < this.#messages.length; this.#indexed++)
      for (const part of this.#messages[this.#indexed]!)
        if (part.type === "tool-call") {
          this.#names.set(part.toolCallId, part.toolName);
          this.#tools.add(part.toolName);
        }
    return this.#names;
  }
}

interface OpenCall {
  readonly id: string;
  isTaken: boolean;
}

const isCall = ({ type }: AssistantPart): boolean => type === "tool-call";

function nameIn(parts: readonly AssistantPart[], id: string): string | undefined {
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index];
    if (part?.type === "tool-call" && part.toolCallId === id) return part.toolName;
  }
  return undefined;
}
