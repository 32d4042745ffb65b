/** What a forgetting does to sessions: those that it takes text out of, and those that showed or told it. */
import type { Carrier, CarriersOf } from "../../memory/distinctive-words.js";
import type { Forgotten, RedactionOf, Redactions } from "../../memory/forgetting.js";
import type { EntryReference } from "../../memory/memory.js";
import type { RetoldOf } from "../../memory/retold-rows.js";
import { removeSnapshots } from "../../store/drivers/snapshot-files.js";
import { type Store, sessionsIn } from "../../store/store.js";
import type { Session } from "../session.js";
import type { SnapshotSettings } from "../snapshots.js";
import { carriersOf, redactionsOf, retellingsOf } from "./redactions.js";

export interface ForgettingInput {
  readonly store: Store;
  readonly snapshots: SnapshotSettings | undefined;
  /** The sessions that are open in this process. */
  readonly open: () => Promise<ReadonlyMap<string, Session>>;
}

export class Forgetting {
  readonly #input: ForgettingInput;

  constructor(input: ForgettingInput) {
    this.#input = input;
  }

  /** What takes the text of entries out of their sessions, as those stand in the store. A session that learns may ask. */
  async redactions(entries: readonly EntryReference[], of: RedactionOf): Promise<Redactions> {
    for (const session of (await this.#input.open()).values()) await session.written();
    return redactionsOf(entries, { ...of, store: this.#input.store });
  }

  /** The agent's entries that still retell what came out of these, as the sessions stand in the store. */
  async retellings(entries: readonly EntryReference[], of: RetoldOf): Promise<readonly EntryReference[]> {
    await this.#written(entries);
    return retellingsOf(entries, { ...of, store: this.#input.store });
  }

  /** What in the sessions of a scope has one of these words, as they stand in the store. */
  async carriers(of: CarriersOf): Promise<readonly Carrier[]> {
    for (const session of (await this.#input.open()).values()) await session.written();
    return carriersOf({ ...of, store: this.#input.store });
  }

  async #written(entries: readonly EntryReference[]): Promise<void> {
    const open = await this.#input.open();
    for (const id of new Set(entries.map(({ session }) => session))) await open.get(id)?.written();
  }

  /** Once the text is gone from the store: what was made of it in this process and in files beside the store goes too. */
  async forgotten({ ids, texts, sessions }: Forgotten): Promise<void> {
    const { snapshots } = this.#input;
    const open = await this.#input.open();
    const gone = new Set(ids);
    for (const session of open.values()) await session.forgotten(gone);
    for (const id of sessions)
      if (snapshots !== undefined && !open.has(id)) removeSnapshots({ ...snapshots, sessionId: id });
    await this.#withoutFacts(new Set(texts), open);
    for (const session of open.values()) await session.written();
  }

  /** Takes facts out of the documents of sessions that are not open. */
  async #withoutFacts(texts: ReadonlySet<string>, open: ReadonlyMap<string, Session>): Promise<void> {
    const { store } = this.#input;
    if (store.writeContext === undefined || store.readContext === undefined) return;
    for await (const { id, version } of sessionsIn(store)) {
      const document = open.has(id) ? undefined : await store.readContext(id);
      if (!document?.facts.some((fact) => texts.has(fact))) continue;
      await store.writeContext(id, { ...document, facts: document.facts.filter((fact) => !texts.has(fact)) }, version);
    }
  }
}
