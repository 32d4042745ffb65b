import type { AssistantPart } from "../message/types.js";

/**
 * The calls met so far while decoding a list: it names the tool of a result, and finds the call of one without id.
 * Nearly every result answers the latest message with calls, so that is looked at first; all others are indexed only
 * when a result asks for one of them.
 */
export class CallTracker {
  readonly #messages: (readonly AssistantPart[])[] = [];
  readonly #names = new Map<string, string>();
  #latest: readonly AssistantPart[] | undefined;
  #indexed = 0;
  #open: { id: string; name: string }[] = [];

  /** A message with calls begins: results without id answer its calls from now on. */
  start(): void {
    if (this.#open.length > 0) this.#open = [];
  }

  /** The parts of a message with calls. */
  called(parts: readonly AssistantPart[]): void {
    this.#latest = parts;
    this.#messages.push(parts);
  }

  /** A call came without an id and was given one. */
  calledWithout(id: string, name: string): void {
    this.#open.push({ id, name });
  }

  /** The tool of the latest call with this id. */
  nameOf(id: string): string | undefined {
    return (this.#latest && nameIn(this.#latest, id)) ?? this.#index().get(id);
  }

  /** The id of the first open call without id, of that name if one is given; it is answered then. */
  answer(name?: string): string | undefined {
    const index = this.#open.findIndex((call) => name === undefined || call.name === name);
    return index < 0 ? undefined : this.#open.splice(index, 1)[0]?.id;
  }

  #index(): ReadonlyMap<string, string> {
    for (const parts of this.#messages.slice(this.#indexed)) {
      for (const part of parts) if (part.type === "tool-call") this.#names.set(part.toolCallId, part.toolName);
    }
    this.#indexed = this.#messages.length;
    return this.#names;
  }
}

function nameIn(parts: readonly AssistantPart[], id: string): string | undefined {
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index];
    if (part?.type === "tool-call" && part.toolCallId === id) return part.toolName;
  }
  return undefined;
}
