import { VarveError } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { checkModel } from "../model/check-options.js";
import type { Completion, LanguageModel } from "../model/language-model.js";
import { findModel } from "../tokens/models.js";
import { changedStatements, fittedStatements, statementsIn, statementsText } from "./model-statements.js";
import { type Chunk, chunkText, pack, toUnits } from "./model-summariser-chunks.js";
import { SUMMARY_SYSTEM, summaryPrompt } from "./prompts.js";
import { checkSummaryRequest, type Summariser, type Summary, type SummaryRequest } from "./summariser.js";
import { withoutReasoning } from "./verify-answer.js";

export interface ModelSummariserOptions {
  /** Tokens that one request may take. The model's own unless given, else that of the table, else 32,000. */
  readonly window?: number;
  /** Tokens that one answer may take, reasoning included: twice the summary's limit and at least 2,000 unless given. */
  readonly maxOutputTokens?: number;
  /** Results of tools are shortened to so many tokens before they are read; unless given they are read whole. */
  readonly maxResultTokens?: number;
  /** The most calls of the model for one summary. 100 unless given; more would be needed: an error before the first. */
  readonly maxCalls?: number;
}

const OPTIONS: OptionNames<ModelSummariserOptions> = {
  window: true,
  maxOutputTokens: true,
  maxResultTokens: true,
  maxCalls: true,
};

/**
 * A summariser that asks a model for conclusions and reasons, as single statements. What is larger than the model's window
 * is read in chunks, all of it, one call each; from the second on, and where there is a summary to carry on, the model names
 * only what changes. A summary takes an eighth of the window at most, and lets go of the oldest statements first. A chunk
 * whose answer cannot be used is asked about once more; a chunk that the provider finds too long is halved. Never more calls
 * than `maxCalls`.
 *
 * @example
 * ```ts
 * const model = openaiCompatible({ baseURL: "http://localhost:11434/v1", model: "qwen3:8b" });
 * const summariser = modelSummariser(model, { window: 32_000 });
 * const { text } = await summariser.summarise({ messages, maxTokens: 1_500, counter: createTokenCounter() });
 * ```
 */
export function modelSummariser(model: LanguageModel, options: ModelSummariserOptions = {}): Summariser {
  checkModel("model", model);
  checkNames(options, OPTIONS, "modelSummariser");
  return {
    name: model.name,
    summarise: async (request) => summarise(readingOf(model, options, checkSummaryRequest(request))),
  };
}

const DEFAULT_WINDOW = 32_000;
const DEFAULT_CALLS = 100;
/** Shares of the window that statements may take, whatever room their reader has for them, and notes beside them. */
const STATEMENTS_SHARE = 1 / 8;
const NOTES_SHARE = 1 / 4;
/** The caller's counter may be that of another model: chunks leave so much of the window free. */
const FOREIGN_COUNT = 1.1;
/** What encoding and numbers add to notes and statements. */
const ENCODED = 1.25;
const LEAST_ROOM = 200;

interface Reading {
  readonly model: LanguageModel;
  readonly request: SummaryRequest;
  readonly notes: string;
  readonly window: number;
  /** Tokens of all statements, and of one answer. */
  readonly most: number;
  readonly output: number;
  readonly maxCalls: number;
  readonly maxResultTokens: number | undefined;
}

function readingOf(model: LanguageModel, options: ModelSummariserOptions, request: SummaryRequest): Reading {
  const window = options.window ?? model.window ?? findModel(model.name)?.window ?? DEFAULT_WINDOW;
  const most = Math.min(request.maxTokens, Math.floor(window * STATEMENTS_SHARE));
  const output = Math.min(Math.max(2_000, 2 * most), Math.floor(window / 4));
  const { maxOutputTokens = output, maxCalls = DEFAULT_CALLS, maxResultTokens } = options;
  const { notes = "", counter } = request;
  const shown = counter.text(notes) <= window * NOTES_SHARE ? notes : "";
  return { model, request, notes: shown, window, most, output: maxOutputTokens, maxCalls, maxResultTokens };
}

async function summarise(reading: Reading): Promise<Summary> {
  const { request, model, most, maxCalls, maxResultTokens } = reading;
  const { messages, previous, counter, ids } = request;
  let room = roomFor(reading);
  let chunks: readonly Chunk[] = pack(toUnits(messages, { counter, maxResultTokens, ids }), room, counter);
  let statements = fittedStatements(statementsIn(previous ?? ""), most, counter);
  /** Whether one answer is to be the summary. */
  let isAlone = chunks.length === 1 && previous === undefined;
  /** Whether the first of the chunks was asked about in vain. */
  let isRepeated = false;
  for (let calls = 0; chunks.length > 0; calls++) {
    if (calls + chunks.length > maxCalls) throw tooMany(calls + chunks.length, maxCalls);
    const answer = await ask(reading, chunks[0]!, statements);
    if (answer === undefined) {
      room = Math.floor(Math.min(room, chunks[0]!.tokens) / 2);
      if (room < LEAST_ROOM) throw tooLong();
      const units = chunks.flatMap((chunk) => chunk.units);
      [chunks, isRepeated, isAlone] = [pack(units, room, counter), false, false];
      continue;
    }
    const { text, finish } = answer;
    const changed = finish === "length" || finish === "refused" ? undefined : changedStatements(statements, text);
    if (changed !== undefined) {
      statements = fittedStatements(changed, most, counter);
      [chunks, isRepeated] = [chunks.slice(1), false];
    } else if (isAlone) {
      // An answer to the whole is judged by the caller, whatever its shape.
      return { text, madeBy: model.name, finish };
    } else if (isRepeated) throw unusable(answer);
    else isRepeated = true;
  }
  return { text: statementsText(statements), madeBy: model.name, finish: "stop" };
}

/** Tokens of conversation for one call. */
function roomFor({ request, notes, window, output, most }: Reading): number {
  const { counter } = request;
  const frame = SUMMARY_SYSTEM + summaryPrompt({ ...request, conversation: "", notes, statements: ["-"], cited: true });
  const taken = Math.ceil(counter.text(frame) + (counter.text(notes) + most) * ENCODED);
  const room = Math.floor((window - output - taken) / (FOREIGN_COUNT + counter.errorBound));
  if (room >= LEAST_ROOM) return room;
  const message = `A window of ${window} tokens leaves ${Math.max(0, room)} for the conversation; ${LEAST_ROOM} are needed.`;
  const hint = "Choose a summariser with a larger window, or a smaller maxTokens.";
  throw new VarveError({ code: "invalid-option", message, hint, details: { window, output, taken } });
}

/** The model's answer on a chunk; undefined where the provider finds it too long. */
async function ask(reading: Reading, chunk: Chunk, statements: readonly string[]): Promise<Completion | undefined> {
  const { model, request, notes, most: maxTokens, output: maxOutputTokens } = reading;
  const { ids, focus, faults, signal } = request;
  signal?.throwIfAborted();
  const shown = { conversation: chunkText(chunk), notes, statements, cited: ids !== undefined };
  const prompt = summaryPrompt({ ...shown, maxTokens, focus, faults });
  try {
    const answer = await model.complete({ system: SUMMARY_SYSTEM, prompt, maxOutputTokens, signal });
    return { ...answer, text: withoutReasoning(answer.text) };
  } catch (error) {
    if (VarveError.isInstance(error) && error.code === "context-overflow") return undefined;
    throw error;
  }
}

const tooMany = (needed: number, maxCalls: number): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `The summary needs ${needed} calls of the model; ${maxCalls} are allowed.`,
    hint: "Raise maxCalls, set maxResultTokens, or choose a summariser with a larger window.",
    details: { needed, maxCalls },
  });

const tooLong = (): VarveError =>
  new VarveError({
    code: "context-overflow",
    message: `The model finds ${LEAST_ROOM} tokens of conversation too long.`,
    hint: "Choose a summariser with a larger window.",
  });

const unusable = ({ finish, text }: Completion): VarveError =>
  new VarveError({
    code: "model-failed",
    message: "The model gave no statements that can be used, twice.",
    hint: "Choose a model that follows instructions better, or the extractive summariser.",
    details: { kind: "unusable-answer", finish, answer: text.slice(0, 500) },
  });
