import { VarveError } from "../errors.js";
import type { Committed, Documents, Draft, StoredLog } from "./stored-log.js";

export type Write = (documents: Documents) => void;

export interface CommitsInput {
  readonly stored: StoredLog;
  /** Told when a commit has taken along what was waiting. */
  readonly onWritten: () => void;
  readonly warn: (warning: VarveError) => void;
}

/** Everything that one process does to a session's store, one after the other. */
export class Commits {
  readonly #input: CommitsInput;
  /** What is to be written with the next commit. */
  #pending: Write[] = [];
  /** Whether some of it is worth a commit of its own. */
  #noted = false;
  #ended: VarveError | undefined;
  #latest: Promise<unknown> = Promise.resolve();

  constructor(input: CommitsInput) {
    this.#input = input;
  }

  /** Throws where nothing can be written any more. */
  check(): void {
    if (this.#ended !== undefined) throw this.#ended;
  }

  inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#latest.then(() => {
      this.check();
      return work();
    });
    this.#latest = done.catch(() => undefined);
    return done;
  }

  /** A small document as it will be once what is waiting is written. */
  expected(name: string): unknown {
    const written = new Map<string, unknown>();
    const documents: Documents = {
      get: (each) => (written.has(each) ? written.get(each) : this.#input.stored.document(each)),
      set: (each, value) => written.set(each, value),
    };
    this.#writeAll(this.#pending.slice(), documents);
    return documents.get(name);
  }

  /** Writes something with the next commit. */
  defer(write: Write): void {
    this.#pending.push(write);
  }

  /** Writes something that nobody waits for, with a commit of its own if need be. */
  note(write: Write): void {
    this.#pending.push(write);
    this.#noted = true;
    this.inOrder(() => this.writePending()).catch(() => undefined);
  }

  /** Writes what is waiting, and something more, unless there is no session yet that would be worth it. */
  async writePending(write?: Write): Promise<void> {
    if (!this.#noted && this.#input.stored.entries.length === 0) return;
    await this.commit({ ...(write && { write }) });
    this.#noted = false;
  }

  /** A commit takes along what was waiting; where it fails, that waits for the next. */
  async commit(draft: Draft): Promise<Committed> {
    const pending = this.#pending.slice();
    const committed = await this.#input.stored.commit({
      ...draft,
      write: (documents, head) => {
        this.#writeAll(pending, documents);
        draft.write?.(documents, head);
      },
    });
    if (committed.repeated || pending.length === 0) return committed;
    this.#pending = this.#pending.filter((write) => !pending.includes(write));
    this.#input.onWritten();
    return committed;
  }

  /** What cannot be written is dropped and told, for it would keep everything after it from being written. */
  #writeAll(writes: readonly Write[], documents: Documents): void {
    for (const write of writes) {
      if (!this.#pending.includes(write)) continue;
      try {
        write(documents);
      } catch (error) {
        this.#pending = this.#pending.filter((each) => each !== write);
        this.#input.warn(dropped(error));
      }
    }
  }

  /** Refuses everything from now on with this error; the first one given stays. */
  end(reason: VarveError): void {
    this.#ended ??= reason;
  }

  /** Waits for what is under way, and refuses everything after it. */
  async endInOrder(reason: VarveError): Promise<void> {
    await this.#latest;
    this.end(reason);
  }
}

const dropped = (error: unknown): VarveError =>
  VarveError.isInstance(error)
    ? error
    : new VarveError({
        code: "store-failed",
        message: "Something that was noted of a session cannot be written, and is dropped.",
        hint: "The cause says what is wrong with it; note it again without that.",
        cause: error,
      });
