import { type Committed, type Documents, type Draft, deletedSession, type StoredLog } from "./stored-log.js";

export type Write = (documents: Documents) => void;

/** Everything that one process does to a session's store, one after the other. */
export class Commits {
  readonly #id: string;
  readonly #stored: StoredLog;
  readonly #onWritten: () => void;
  /** What is to be written with the next commit. */
  #pending: Write[] = [];
  /** Whether some of it is worth a commit of its own. */
  #noted = false;
  #ended = false;
  #latest: Promise<unknown> = Promise.resolve();

  /** `onWritten` is told when a commit has taken along what was waiting. */
  constructor(id: string, stored: StoredLog, onWritten: () => void) {
    this.#id = id;
    this.#stored = stored;
    this.#onWritten = onWritten;
  }

  inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#latest.then(() => {
      if (this.#ended) throw deletedSession(this.#id);
      return work();
    });
    this.#latest = done.catch(() => undefined);
    return done;
  }

  /** A small document as it will be once what is waiting is written. */
  expected(name: string): unknown {
    const written = new Map<string, unknown>();
    const documents: Documents = {
      get: (each) => (written.has(each) ? written.get(each) : this.#stored.document(each)),
      set: (each, value) => written.set(each, value),
    };
    for (const write of this.#pending) write(documents);
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

  /** Writes what is waiting, unless there is no session yet that would be worth it. */
  async writePending(): Promise<void> {
    if (!this.#noted && this.#stored.entries.length === 0) return;
    await this.commit({});
    this.#noted = false;
  }

  /** A commit takes along what was waiting; where it fails, that waits for the next. */
  async commit(draft: Draft): Promise<Committed> {
    const pending = this.#pending.slice();
    const committed = await this.#stored.commit({
      ...draft,
      write: (documents, head) => {
        for (const write of pending) write(documents);
        draft.write?.(documents, head);
      },
    });
    if (committed.repeated || pending.length === 0) return committed;
    this.#pending = this.#pending.filter((write) => !pending.includes(write));
    this.#onWritten();
    return committed;
  }

  /** Waits for what is under way, and refuses everything after it. */
  async end(): Promise<void> {
    await this.#latest;
    this.#ended = true;
  }
}
