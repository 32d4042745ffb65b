/**
 * What a session's views show of its memories: chosen once for each user message and the same, byte for byte, in all
 * views that show the message, also those that another process makes.
 */

import { VarveError } from "../../errors.js";
import type { Memory } from "../../memory/memory.js";
import type { ScopedMemory } from "../../memory/scoped-memory.js";
import type { Entry } from "../../message/entry.js";
import { sequenceOf } from "../../store/stored-entry.js";
import type { View } from "../../view/view.js";
import type { Commits } from "../commits.js";
import { chooseMemories } from "./choose-memories.js";
import { HeldBlocks, type HeldInput } from "./held-blocks.js";
import type { ShownMemory } from "./lessons.js";
import { LEARNT, learntIn, RECALLS, type RecalledTurn, recallsIn, withTurn } from "./memory-documents.js";
import type { SessionMemorySettings } from "./memory-options.js";
import { fitMemories, partKey, partsIn, type ShownPart, tokensOf, withMemories } from "./recall-block.js";

export interface RecallInput extends HeldInput {
  readonly session: string;
  readonly memory: () => ScopedMemory;
  readonly settings: () => SessionMemorySettings | undefined;
  readonly commits: Commits;
  readonly warn: (warning: VarveError) => void;
}

const TIMEOUT = 5_000;
/** Share of the room that must be left beside those of earlier turns; with less, the earlier ones go and leave it all. */
const ENOUGH = 0.25;
/** Memories of earlier turns that an answer is compared with. */
const RETOLD = 100;

export class Recall {
  readonly #input: RecallInput;
  readonly #blocks: HeldBlocks;
  /** The user message that memories were chosen for. */
  #chosen: string | undefined;
  /** The user message whose memories could not be read: that is told once. */
  #failed: string | undefined;
  /** By user message: what its turn was shown. */
  readonly #shown = new Map<string, readonly ShownMemory[]>();

  constructor(input: RecallInput) {
    this.#input = input;
    this.#blocks = new HeldBlocks(input);
  }

  /** A view with the memories of its turns; those of a turn that has none yet are chosen only where asked. */
  async into(view: View, { choose }: { readonly choose: boolean }): Promise<View> {
    const settings = this.#input.settings();
    const request = this.#input.request();
    if (settings?.recall !== true || request === undefined) return view;
    if (choose) await this.#prepare(request, view, settings);
    return withMemories(view, this.#blocks.in(view, this.#turns()), this.#input.counter());
  }

  /** What was recalled in a turn, by its user message. */
  async shownIn(request: string, memory: ScopedMemory): Promise<readonly ShownMemory[]> {
    const known = this.#shown.get(request);
    if (known !== undefined) return known;
    const turns = this.#turns().filter(({ entry }) => sequenceOf(entry) <= sequenceOf(request));
    const ids = new Set(turns.toReversed().flatMap((turn) => turn.ids));
    return memory.getMany([...ids].slice(0, RETOLD));
  }

  /** What was recalled up to there has been learnt from. */
  settle(sequence: number): void {
    const isDone = (entry: string): boolean => sequenceOf(entry) <= sequence && entry !== this.#chosen;
    for (const entry of this.#shown.keys()) if (isDone(entry)) this.#shown.delete(entry);
  }

  /** Looks up again what the turns are shown. */
  startAnew(): void {
    this.#chosen = undefined;
    this.#blocks.clear();
  }

  /** Shows these no more. */
  drop(ids: ReadonlySet<string>): void {
    this.#blocks.drop(ids);
  }

  async #prepare(request: Entry, view: View, settings: SessionMemorySettings): Promise<void> {
    const isNew = this.#chosen !== request.id;
    this.#chosen = request.id;
    try {
      await withinTime(this.#read());
      if (isNew && !this.#turns().some(({ entry }) => entry === request.id))
        await withinTime(this.#choose(request, view, settings));
      if (isNew) this.#shown.set(request.id, this.#blocks.memories);
    } catch (error) {
      if (this.#failed !== request.id) this.#input.warn(notRecalled(this.#input.session, error));
      this.#failed = request.id;
    }
  }

  /** The memories of all turns as they are now: one that was changed, or holds no longer, is not shown as it was. */
  async #read(): Promise<void> {
    const ids = new Set(this.#turns().flatMap((turn) => (turn.hidden ? [] : turn.ids)));
    this.#blocks.take(await this.#input.memory().getMany([...ids]));
  }

  async #choose(request: Entry, view: View, settings: SessionMemorySettings): Promise<void> {
    const { session, counter } = this.#input;
    const room = roomIn(view, settings.share);
    if (room <= 0) return;
    const given = { session, view, settings, memory: this.#input.memory(), entries: this.#input.entries() };
    const chosen = await chooseMemories(request, given);
    const held = this.#blocks.in(view, this.#turns());
    const shown = new Set(held.flatMap(({ block }) => block.keys));
    const fresh = chosen.filter(({ id, passage }) => !shown.has(id) && !shown.has(partKey(id, passage)));
    const left = room - tokensOf(held, counter());
    const beside = left < room * ENOUGH ? undefined : fitMemories(fresh, left, counter());
    const block = beside ?? fitMemories(chosen, room, counter());
    if (block === undefined) return;
    const ids = new Set(beside === undefined ? block.ids : [...block.ids, ...held.flatMap((each) => each.block.ids)]);
    const memories = chosen.filter(({ id }) => ids.has(id));
    this.#blocks.add(memories);
    this.#note(
      turnOf(request.id, memories, { most: block.most, parts: partsIn(memories, block.most, counter()) }),
      beside === undefined && fresh.length > 0,
    );
  }

  /** Written with the next commit: that of the answer at the latest. */
  #note(turn: RecalledTurn, hide: boolean): void {
    const learns = this.#input.settings()?.learn ?? false;
    this.#input.commits.defer((documents) => {
      const learnt = learns ? learntIn(documents.get(LEARNT)) : sequenceOf(turn.entry);
      documents.set(RECALLS, { turns: withTurn(recallsIn(documents.get(RECALLS)), { turn, hide, learnt }) });
    });
  }

  #turns(): readonly RecalledTurn[] {
    return recallsIn(this.#input.commits.expected(RECALLS));
  }
}

interface TurnForm {
  readonly most: number;
  /** Those that are shown in part. */
  readonly parts: readonly ShownPart[];
}

function turnOf(entry: string, memories: readonly Memory[], { most, parts }: TurnForm): RecalledTurn {
  const past = memories.flatMap(({ id, validUntil }) => (validUntil === undefined ? [] : [id]));
  const passages = Object.fromEntries(
    parts.flatMap(({ id, passage }) => (passage === undefined ? [] : [[id, passage]])),
  );
  return {
    entry,
    ids: memories.map(({ id }) => id),
    most,
    ...(past.length > 0 && { past }),
    ...(parts.length > 0 && { passages }),
  };
}

/** Tokens for memories: their share of what the system prompt, the tools and the context leave, if nothing else needs it. */
function roomIn({ blocks, budget, tokens }: View, share: number): number {
  const locked = blocks.filter(({ name }) => name === "system" || name === "tools" || name === "context");
  const most = budget.affordable === undefined ? budget.usable : Math.floor(budget.affordable / (1 - share));
  const space = most - locked.reduce((sum, block) => sum + block.tokens, 0);
  return Math.min(Math.floor(space * share), most - tokens);
}

/** No view waits for memories for long. */
async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${TIMEOUT} milliseconds`)), TIMEOUT);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const notRecalled = (session: string, cause: unknown): VarveError =>
  new VarveError({
    code: VarveError.isInstance(cause) ? cause.code : "store-failed",
    message: `A view of the session "${session}" shows no memories: they could not be retrieved.`,
    hint: "The view is whole but for them; the next user message tries again. See the cause.",
    cause,
    retryable: true,
    details: { session },
  });
