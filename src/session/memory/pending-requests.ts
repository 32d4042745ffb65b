/** What user messages asked of the memory, and waits for a yes. */
import { VarveError } from "../../errors.js";
import { type MemoryRequest, requestsIn } from "../../memory/facts/requests.js";
import type { ConfirmReceipt } from "../../memory/heeding.js";
import type { ScopedMemory } from "../../memory/scoped-memory.js";
import { sequenceOf } from "../../store/stored-entry.js";
import type { Commits } from "../commits.js";
import { LEARNT, learntOf, learntWithout } from "./memory-documents.js";

/** A request that is carried out by `session.confirm(id)`. */
export interface SessionRequest extends Pick<MemoryRequest, "kind" | "text"> {
  readonly id: string;
  /** Id of the message that asks. */
  readonly entry: string;
}

export interface PendingRequestsInput {
  readonly session: string;
  readonly commits: Commits;
  /** The memories of the scope that an entry belongs to. */
  readonly memory: (sequence: number) => ScopedMemory;
}

export class PendingRequests {
  readonly #input: PendingRequestsInput;

  constructor(input: PendingRequestsInput) {
    this.#input = input;
  }

  list(): readonly SessionRequest[] {
    return this.#waiting().map(({ id, entry, kind, text }) => ({ id, entry, kind, text }));
  }

  async confirm(id: string): Promise<ConfirmReceipt> {
    this.#input.commits.check();
    const { entry, kind, what, text } = this.#find(id);
    const { session, memory } = this.#input;
    const sequence = sequenceOf(entry);
    const origin = { speaker: "user", entries: [{ session, sequence }] };
    const receipt = await memory(sequence).confirm({ kind, what, text, number: 1, memories: [], ...origin });
    await this.#answered(id);
    return receipt;
  }

  async dismiss(id: string): Promise<void> {
    this.#input.commits.check();
    this.#find(id);
    await this.#answered(id);
  }

  #answered(id: string): Promise<void> {
    const { commits } = this.#input;
    commits.note((documents) => documents.set(LEARNT, learntWithout(documents.get(LEARNT), id)));
    return commits.inOrder(() => commits.writePending());
  }

  /** One whose words were forgotten asks for nothing any more. */
  #waiting(): (MemoryRequest & SessionRequest)[] {
    const { requests = [] } = learntOf(this.#input.commits.expected(LEARNT));
    return requests.flatMap(({ id, text }) =>
      requestsIn(text).map((request) => ({ ...request, id, entry: id.slice(0, id.indexOf(".")) })),
    );
  }

  #find(id: string) {
    const found = this.#waiting().find((request) => request.id === id);
    if (found !== undefined) return found;
    throw new VarveError({
      code: "not-found",
      message: `No request ${JSON.stringify(id)} waits in the session "${this.#input.session}".`,
      hint: "session.status().requests lists those that do.",
      details: { session: this.#input.session, id },
    });
  }
}
