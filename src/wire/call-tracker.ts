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
  #latest: readonly AssistantPart[] | undefined;
  #indexed = 0;
  /** Ids that were answered since the latest message with calls; those from `#count` on are left over from before. */
  readonly #answered: string[] = [];
  #count = 0;
  #open: { id: string; name: string }[] | undefined;

  /** The parts of an assistant's message. If there are calls among them, results without id answer these from now on. */
  called(parts: readonly AssistantPart[]): void {
    if (!parts.some(isCall)) return;
    this.#latest = parts;
    this.#messages.push(parts);
    this.#count = 0;
    this.#open = undefined;
  }

  /** A result with an id came. Returns the tool of the latest call with this id. */
  answered(id: string): string | undefined {
    this.#answered[this.#count++] = id;
    if (this.#open !== undefined) this.#close(id);
    return this.nameOf(id);
  }

  /** The tool of the latest call with this id. */
  nameOf(id: string): string | undefined {
    const latest = this.#latest;
    if (latest === undefined) return undefined;
    return (latest.length <= HANDFUL ? nameIn(latest, id) : undefined) ?? this.#index().get(id);
  }

  /**
   * A result without id came. Returns the id of the call that it answers: of the latest message with calls the first
   * open one of that name, or the first open one at all where no call there has the name.
   */
  answer(name?: string): string | undefined {
    this.#open ??= this.#openCalls();
    const named = this.#open.findIndex((call) => name === undefined || call.name === name);
    const index = named < 0 && this.#isUnheard(name) ? 0 : named;
    return index < 0 ? undefined : this.#open.splice(index, 1)[0]?.id;
  }

  #openCalls(): { id: string; name: string }[] {
    const answered = new Set(this.#answered.slice(0, this.#count));
    return (this.#latest ?? []).flatMap((part) =>
      part.type === "tool-call" && !answered.has(part.toolCallId) ? [{ id: part.toolCallId, name: part.toolName }] : [],
    );
  }

  #isUnheard(name: string | undefined): boolean {
    return !(this.#latest ?? []).some((part) => part.type === "tool-call" && part.toolName === name);
  }

  #close(id: string): void {
    const index = this.#open?.findIndex((call) => call.id === id) ?? -1;
    if (index >= 0) this.#open?.splice(index, 1);
  }

  #index(): ReadonlyMap<string, string> {
    for (; this.#indexed < this.#messages.length; this.#indexed++)
      for (const part of this.#messages[this.#indexed]!)
        if (part.type === "tool-call") this.#names.set(part.toolCallId, part.toolName);
    return this.#names;
  }
}

const isCall = ({ type }: AssistantPart): boolean => type === "tool-call";

function nameIn(parts: readonly AssistantPart[], id: string): string | undefined {
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index];
    if (part?.type === "tool-call" && part.toolCallId === id) return part.toolName;
  }
  return undefined;
}
