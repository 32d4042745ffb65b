/**
 * What a session's views show of its memories: chosen once for each user message and the same, byte for byte, in all
 * views of its turn, also those that another process makes.
 */
import type { View } from "../../compaction/view.js";
import { VarveError } from "../../errors.js";
import { isJunk } from "../../memory/auditing.js";
import type { Memory } from "../../memory/memory.js";
import type { ScopedMemory } from "../../memory/scoped-memory.js";
import type { Entry } from "../../message/entry.js";
import { sequenceOf } from "../../store/stored-entry.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { Commits } from "../commits.js";
import { LEARNT, learntIn, RECALLS, type RecalledTurn, recallsIn } from "./memory-documents.js";
import type { SessionMemorySettings } from "./memory-options.js";
import { blockOf, fitMemories, type RecallBlock, withMemories } from "./recall-block.js";
import { saidIn } from "./said.js";
import { ShownTexts } from "./shown-texts.js";

export interface RecallInput {
  readonly session: string;
  readonly memory: () => ScopedMemory;
  readonly settings: () => SessionMemorySettings | undefined;
  readonly counter: () => TokenCounter;
  /** The entries of the present branch. */
  readonly entries: () => readonly Entry[];
  /** The latest user message; undefined where there is none. */
  readonly request: () => Entry | undefined;
  readonly commits: Commits;
  readonly warn: (warning: VarveError) => void;
}

/** Turns of which it is known what they were shown. */
const TURNS = 20;

/** One turn's memories, and under which settings they were chosen. */
interface Turn {
  readonly entry: string;
  readonly settings: SessionMemorySettings;
  readonly block: RecallBlock | undefined;
}

/** Characters of a question that are asked with: its beginning and its end. */
const ASKED = 2_000;
/** How many memories are asked for, until enough are left that the view does not show anyhow. */
const REACHES = [60, 300, 600];
const TIMEOUT = 5_000;

export class Recall {
  readonly #input: RecallInput;
  #turn: Turn | undefined;
  /** By user message: the texts that its turn was shown. */
  readonly #texts = new Map<string, readonly string[]>();

  constructor(input: RecallInput) {
    this.#input = input;
  }

  /** A view with the memories of its turn; those of a turn that has none yet are chosen only where asked. */
  async into(view: View, { choose }: { readonly choose: boolean }): Promise<View> {
    const settings = this.#input.settings();
    const request = this.#input.request();
    if (settings?.recall !== true || request === undefined) return view;
    if (this.#turn?.entry !== request.id || !sameChoice(this.#turn.settings, settings)) {
      if (!choose) return view;
      this.#turn = { entry: request.id, settings, block: await this.#found(request, view, settings) };
    }
    const { block } = this.#turn;
    return block === undefined
      ? view
      : withMemories(view, block, { request: request.message, counter: this.#input.counter() });
  }

  /** The texts that were recalled in a turn, by its user message. */
  async textsOf(request: string): Promise<readonly string[]> {
    const known = this.#texts.get(request);
    if (known !== undefined) return known;
    const turn = this.#turns().find(({ entry }) => entry === request);
    return turn === undefined ? [] : (await this.#memories(turn.ids)).map(({ content }) => content);
  }

  /** What was recalled up to there has been learnt from. */
  settle(sequence: number): void {
    const isDone = (entry: string): boolean => sequenceOf(entry) <= sequence && entry !== this.#turn?.entry;
    for (const entry of this.#texts.keys()) if (isDone(entry)) this.#texts.delete(entry);
  }

  /** Looks up again what the present turn is shown. */
  startAnew(): void {
    this.#turn = undefined;
  }

  /** Shows these no more. */
  drop(ids: ReadonlySet<string>): void {
    if (this.#turn?.block?.ids.some((id) => ids.has(id))) this.#turn = undefined;
  }

  async #found(request: Entry, view: View, settings: SessionMemorySettings): Promise<RecallBlock | undefined> {
    try {
      const before = this.#turns().find(({ entry }) => entry === request.id);
      if (before !== undefined) return await withinTime(this.#again(before));
      const block = await withinTime(this.#choose(request, view, settings));
      this.#note(request.id, block);
      return block;
    } catch (error) {
      this.#input.warn(notRecalled(this.#input.session, error));
      return undefined;
    }
  }

  async #again({ entry, ids, most }: RecalledTurn): Promise<RecallBlock | undefined> {
    const memories = await this.#memories(ids);
    if (memories.length === 0) return undefined;
    this.#texts.set(
      entry,
      memories.map(({ content }) => content),
    );
    return blockOf(memories, most, this.#input.counter());
  }

  async #memories(ids: readonly string[]): Promise<Memory[]> {
    const memory = this.#input.memory();
    const found = await Promise.all(ids.map((id) => memory.get(id)));
    return found.filter((each) => each !== undefined);
  }

  async #choose(request: Entry, view: View, settings: SessionMemorySettings): Promise<RecallBlock | undefined> {
    const question = asked(saidIn(request.message));
    const room = roomIn(view, settings.share);
    if (isJunk(question) || room <= 0) return undefined;
    const fresh = await this.#fresh(question, view, settings);
    const block = fitMemories(fresh, room, this.#input.counter());
    const ids = new Set(block?.ids);
    const texts = fresh.filter(({ id }) => ids.has(id)).map(({ content }) => content);
    if (texts.length > 0) this.#texts.set(request.id, texts);
    return block;
  }

  /** The best that the view does not show anyhow. */
  async #fresh(question: string, view: View, settings: SessionMemorySettings): Promise<readonly Memory[]> {
    const { limit, similarityThreshold } = settings;
    const { session, entries } = this.#input;
    const shown = new ShownTexts({ session, entries: entries(), view });
    const options = similarityThreshold === undefined ? {} : { similarityThreshold };
    for (const reach of REACHES) {
      const wanted = Math.max(reach, limit);
      const found = await this.#input.memory().retrieve(question, { ...options, limit: wanted });
      const fresh = found.filter((memory) => !onlyAsks(memory.content) && !shown.has(memory));
      if (fresh.length >= limit || found.length < wanted || reach === REACHES.at(-1)) return fresh.slice(0, limit);
    }
    return [];
  }

  /** Written with the next commit: that of the answer at the latest. */
  #note(entry: string, block: RecallBlock | undefined): void {
    if (block === undefined) return;
    const turn: RecalledTurn = { entry, ids: block.ids, most: block.most };
    const learns = this.#input.settings()?.learn ?? false;
    this.#input.commits.defer((documents) => {
      const learnt = learns ? learntIn(documents.get(LEARNT)) : sequenceOf(entry);
      const turns = recallsIn(documents.get(RECALLS)).filter((each) => sequenceOf(each.entry) > learnt);
      documents.set(RECALLS, { turns: [...turns.filter((each) => each.entry !== entry), turn].slice(-TURNS) });
    });
  }

  #turns(): readonly RecalledTurn[] {
    return recallsIn(this.#input.commits.expected(RECALLS));
  }
}

const sameChoice = (one: SessionMemorySettings, other: SessionMemorySettings): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const QUESTION =
  /^(?:who|whom|whose|what|when|where|which|why|how|is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may)\b[^.!?]*\?$/i;

/** A question answers none. */
const onlyAsks = (content: string): boolean => content.length < ASKED && QUESTION.test(content.trim());

const asked = (question: string): string =>
  question.length <= ASKED ? question : `${question.slice(0, ASKED / 2)}\n${question.slice(-ASKED / 2)}`.toWellFormed();

/** Tokens for memories: their share of what the system prompt, the tools and the context leave, if nothing else needs it. */
function roomIn({ blocks, budget, tokens }: View, share: number): number {
  const locked = blocks.filter(({ name }) => name === "system" || name === "tools" || name === "context");
  const space = budget.usable - locked.reduce((sum, block) => sum + block.tokens, 0);
  return Math.min(Math.floor(space * share), budget.usable - tokens);
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
