/** What user messages asked of the memory and waits for a yes. The log has the words; a document names the places. */
import { VarveError } from "../../errors.js";
import { type MemoryRequest, requestsIn } from "../../memory/facts/requests.js";
import type { ConfirmReceipt } from "../../memory/heeding.js";
import type { ScopedMemory } from "../../memory/scoped-memory.js";
import type { Entry } from "../../message/entry.js";
import type { Commits } from "../commits.js";
import { LEARNT, learntOf, learntWithout, requestName, requestsOf } from "./memory-documents.js";
import { saidIn } from "./said.js";

/** A request that is carried out by `session.confirm(id)`. */
export interface SessionRequest extends Pick<MemoryRequest, "kind" | "text"> {
  readonly id: string;
  /** Id of the message that asks. */
  readonly entry: string;
}

export interface PendingRequestsInput {
  readonly session: string;
  readonly commits: Commits;
  /** The entries of all branches, by sequence. */
  readonly entries: () => readonly Entry[];
  /** The memories of the scope that an entry belongs to. */
  readonly memory: (sequence: number) => ScopedMemory;
}

export class PendingRequests {
  readonly #input: PendingRequestsInput;

  constructor(input: PendingRequestsInput) {
    this.#input = input;
  }

  list(): readonly SessionRequest[] {
    return this.#waiting().map(({ id, entry, kind, text }) => ({ id, entry: entry.id, kind, text }));
  }

  async confirm(id: string): Promise<ConfirmReceipt> {
    this.#input.commits.check();
    const { entry, kind, what, text } = this.#find(id);
    const { session, memory } = this.#input;
    const origin = { speaker: entry.role, entries: [{ session, sequence: entry.sequence }] };
    const receipt = await memory(entry.sequence).confirm({ kind, what, text, number: 1, memories: [], ...origin });
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

  /** One whose words are gone waits for nothing. */
  #waiting(): (MemoryRequest & { readonly id: string; readonly entry: Entry })[] {
    const waiting = new Set(requestsOf(learntOf(this.#input.commits.expected(LEARNT))));
    const sequences = new Set([...waiting].map((id) => Number.parseInt(id.slice(1), 10)));
    const entries = [...sequences].map((sequence) => this.#input.entries()[sequence]).filter((entry) => entry !== undefined);
    const found = entries.flatMap((entry) =>
      requestsIn(saidIn(entry.message)).map((request, at) => ({
        ...request,
        id: requestName(entry.sequence, at + 1),
        entry,
      })),
    );
    return found.filter(({ id }) => waiting.has(id));
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
