import type { ConsentAnswer } from "./listener.js";
import type { ConsentRequest } from "./tools/tool.js";

/** What the user has agreed to, for as long as the chat runs. */
export class Consent {
  readonly #kinds: ReadonlySet<ConsentRequest["kind"]>;
  readonly #always = new Set<string>();

  /** Kinds that need not be asked for, such as those of `--allow`. */
  constructor(kinds: Iterable<ConsentRequest["kind"]> = []) {
    this.#kinds = new Set(kinds);
  }

  async given(request: ConsentRequest, ask: (request: ConsentRequest) => Promise<ConsentAnswer>): Promise<boolean> {
    const { kind, always } = request;
    if (this.#kinds.has(kind) || this.#always.has(always.key)) return true;
    const answer = await ask(request);
    if (answer === "always") this.#always.add(always.key);
    return answer !== "no";
  }
}
