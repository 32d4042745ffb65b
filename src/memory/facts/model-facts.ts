import { VarveError } from "../../errors.js";
import { checkNames, type OptionNames } from "../../message/option-names.js";
import { checkModel } from "../../model/check-options.js";
import type { LanguageModel } from "../../model/language-model.js";
import type { Fact } from "./fact.js";
import { factsOf } from "./facts-of.js";
import { FACTS_SCHEMA, FACTS_SYSTEM, readFacts } from "./model-facts-answer.js";
import { checkFact, type DropReason, type Passage } from "./model-facts-check.js";

/**
 * Facts noted by a language model and held against the texts they come from. Where the model fails, answers something
 * else or finds nothing, the rules read the texts instead: there is always an answer.
 */
export interface ModelFacts {
  /** The facts of each text, in the order of the texts. */
  readonly facts: readonly (readonly Fact[])[];
  /** How many facts of the model were dropped, by reason. */
  readonly dropped: Readonly<Partial<Record<DropReason | "malformed", number>>>;
  /** How many of the texts were read by the rules. */
  readonly byRules: number;
  /** What the model failed with. */
  readonly failures: readonly VarveError[];
}

export interface ModelFactsOptions {
  readonly signal?: AbortSignal;
}

const OPTIONS: OptionNames<ModelFactsOptions> = { signal: true };

/** Characters of passages for each call; a window of tokens holds several times as many. */
const ROOM = 16_000;
const MAX_OUTPUT = 4_000;

/**
 * Asks a model for the facts in texts.
 *
 * @example
 * ```ts
 * const { facts } = await modelFacts(model, [{ text: "I moved to Lyon.", source: "user" }]);
 * facts[0]; // [{ text: "I moved to Lyon.", kind: "fact", slot: "user/home city", value: "Lyon" }]
 * ```
 */
export async function modelFacts(
  model: LanguageModel,
  texts: readonly Passage[],
  options: ModelFactsOptions = {},
): Promise<ModelFacts> {
  checkModel("model", model);
  checkNames(options, OPTIONS, "modelFacts");
  const account = new Account(texts);
  const room = Math.min(ROOM, model.window ?? ROOM);
  for (const batch of batchesOf(texts, room)) {
    await readBatch(batch, { model, account, ...options });
  }
  return account.result();
}

/** A passage, or a part of one that is too long for a call, with the place of its text. */
interface Part extends Passage {
  readonly of: number;
}

interface Reader extends ModelFactsOptions {
  readonly model: LanguageModel;
  readonly account: Account;
}

async function readBatch(batch: readonly Part[], { model, account, signal }: Reader): Promise<void> {
  try {
    const { text, finish } = await model.complete({
      system: FACTS_SYSTEM,
      prompt: promptOf(batch),
      schema: FACTS_SCHEMA,
      maxOutputTokens: MAX_OUTPUT,
      ...(signal !== undefined && { signal }),
    });
    account.note(batch, finish === "refused" ? undefined : text);
  } catch (error) {
    if (signal?.aborted) throw error;
    account.fail(error);
  }
}

function promptOf(batch: readonly Part[]): string {
  const passages = batch.map(({ text, source, speaker }, at) => ({
    passage: at + 1,
    role: source,
    ...(speaker !== undefined && { speaker }),
    text,
  }));
  return `Passages: ${JSON.stringify(passages)}`;
}

function batchesOf(texts: readonly Passage[], room: number): Part[][] {
  const batches: Part[][] = [];
  let left = 0;
  for (const part of texts.flatMap((text, at) => partsOf(text, at, room))) {
    if (left < part.text.length) {
      batches.push([]);
      left = room;
    }
    batches.at(-1)!.push(part);
    left -= part.text.length;
  }
  return batches;
}

/** Long texts are cut where a line or a sentence ends. */
function partsOf(passage: Passage, of: number, room: number): Part[] {
  const parts: Part[] = [];
  for (let from = 0; from < passage.text.length; ) {
    const end = endOfPart(passage.text, from, room);
    parts.push({ ...passage, text: passage.text.slice(from, end), of });
    from = end;
  }
  return parts;
}

function endOfPart(text: string, from: number, room: number): number {
  if (text.length - from <= room) return text.length;
  const end = from + room;
  const stretch = text.slice(from, end);
  const cut = Math.max(stretch.lastIndexOf("\n"), stretch.lastIndexOf(". "));
  return cut > room / 2 ? from + cut + 1 : end;
}

/** Keeps the account of all calls. */
class Account {
  readonly #texts: readonly Passage[];
  readonly #facts = new Map<number, Fact[]>();
  readonly #dropped = new Map<DropReason | "malformed", number>();
  readonly #failures: VarveError[] = [];

  constructor(texts: readonly Passage[]) {
    this.#texts = texts;
  }

  note(batch: readonly Part[], text: string | undefined): void {
    const answer = text === undefined ? undefined : readFacts(text);
    if (answer === undefined) {
      this.#drop("malformed", 1);
      return;
    }
    this.#drop("malformed", answer.malformed);
    for (const noted of answer.facts) {
      const part = batch[noted.passage - 1];
      const checked = checkFact(noted, part);
      if ("dropped" in checked) this.#drop(checked.dropped, 1);
      else this.#keep(part!.of, checked.fact);
    }
  }

  fail(error: unknown): void {
    this.#failures.push(VarveError.isInstance(error) ? error : failed(error));
  }

  result(): ModelFacts {
    const facts = this.#texts.map(
      ({ text, source, speaker }, at) =>
        this.#facts.get(at) ?? factsOf(text, { source, ...(speaker !== undefined && { speaker }) }),
    );
    return {
      facts,
      dropped: Object.fromEntries(this.#dropped),
      byRules: this.#texts.length - this.#facts.size,
      failures: this.#failures,
    };
  }

  #keep(at: number, fact: Fact): void {
    const facts = this.#facts.get(at);
    if (facts === undefined) this.#facts.set(at, [fact]);
    else if (!facts.some((other) => other.text === fact.text && other.slot === fact.slot)) facts.push(fact);
  }

  #drop(reason: DropReason | "malformed", count: number): void {
    if (count > 0) this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + count);
  }
}

const failed = (cause: unknown): VarveError =>
  new VarveError({
    code: "model-failed",
    message: `The model failed while it read for facts: ${cause instanceof Error ? cause.message : String(cause)}`,
    hint: "The rules have read the texts instead. Look at `cause` for what the model said.",
    cause,
  });
