import { VarveError } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { checkModel } from "../model/check-options.js";
import type { Completion, LanguageModel } from "../model/language-model.js";
import { findModel } from "../tokens/models.js";
import { checkSummaryRequest } from "./check-summariser.js";
import { type Chunk, chunkText, pack, toUnits } from "./model-summariser-chunks.js";
import { fitSections } from "./model-summariser-fit.js";
import { leftOut } from "./model-summariser-lines.js";
import { changeSections, parseSections, renderSections, type Sections } from "./model-summariser-sections.js";
import { SUMMARY_SYSTEM, summaryPrompt } from "./prompts.js";
import type { Summariser, Summary, SummaryRequest } from "./summariser.js";
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
 * A summariser that asks a model. What is larger than the model's window is read in chunks, all of it, one call each;
 * from the second on, and where there is a summary to carry on, the model names only what changes. A chunk whose answer
 * cannot be used is asked about once more; a chunk that the provider finds too long is halved. Never more calls than
 * `maxCalls`.
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
    summarise: (request) => summarise(readingOf(model, options, checkSummaryRequest(request))),
  };
}

const DEFAULT_WINDOW = 32_000;
const DEFAULT_CALLS = 100;
/** The caller's counter may be that of another model: chunks leave so much of the window free. */
const FOREIGN_COUNT = 1.1;
/** Tokens for what stands around the conversation and for names of items, as a share of the summary. */
const NAMED_NOTES = 1.5;
const LEAST_ROOM = 200;

interface Reading {
  readonly model: LanguageModel;
  readonly request: SummaryRequest;
  readonly window: number;
  readonly output: number;
  readonly maxCalls: number;
  readonly maxResultTokens: number | undefined;
}

function readingOf(model: LanguageModel, options: ModelSummariserOptions, request: SummaryRequest): Reading {
  const window = options.window ?? model.window ?? findModel(model.name)?.window ?? DEFAULT_WINDOW;
  const output = Math.min(Math.max(2_000, 2 * request.maxTokens), Math.floor(window / 4));
  const { maxOutputTokens = output, maxCalls = DEFAULT_CALLS, maxResultTokens } = options;
  return { model, request, window, output: maxOutputTokens, maxCalls, maxResultTokens };
}

/** Where a reading stands. */
interface Progress {
  readonly sections: Sections;
  /** Items left out so far for want of space. */
  readonly left: number;
  readonly chunks: readonly Chunk[];
  readonly room: number;
  readonly calls: number;
  /** Whether the first of the chunks was asked about in vain. */
  readonly repeated: boolean;
  /** Whether one answer is to be the summary. */
  readonly alone: boolean;
}

async function summarise(reading: Reading): Promise<Summary> {
  const { request, model } = reading;
  let progress = start(reading);
  while (progress.chunks.length > 0) {
    const answer = await ask(reading, progress);
    if (answer === undefined) progress = halved(reading, progress);
    else {
      const change = changeSections(progress.sections, answer.text);
      const usable = change.understood && answer.finish !== "length" && answer.finish !== "refused";
      // An answer to the whole is judged by the caller, whatever its shape.
      if (!usable && progress.alone) return { text: answer.text, madeBy: model.name, finish: answer.finish };
      progress = usable ? advanced(progress, change.sections, request) : again(progress, answer);
    }
  }
  return {
    text: fitSections(progress.sections, { ...request, left: progress.left }).text,
    madeBy: model.name,
    finish: "stop",
  };
}

function start(reading: Reading): Progress {
  const { request, maxResultTokens } = reading;
  const { previous = "", counter } = request;
  const room = roomFor(reading);
  const chunks = pack(toUnits(request.messages, { counter, maxResultTokens }), room, counter);
  checkCalls(chunks.length, reading);
  const alone = chunks.length === 1 && request.previous === undefined;
  return { sections: parseSections(previous), left: leftOut(previous), chunks, room, calls: 0, repeated: false, alone };
}

/** Tokens of conversation for one call. */
function roomFor({ request, window, output }: Reading): number {
  const { counter, previous = "", maxTokens } = request;
  const frame =
    counter.text(SUMMARY_SYSTEM) + counter.text(summaryPrompt({ ...request, conversation: "", notes: "-" }));
  const notes = Math.ceil(Math.max(counter.text(previous), maxTokens) * NAMED_NOTES);
  const room = Math.floor((window - output - frame - notes) / (FOREIGN_COUNT + counter.errorBound));
  if (room >= LEAST_ROOM) return room;
  throw new VarveError({
    code: "invalid-option",
    message: `A window of ${window} tokens leaves ${Math.max(0, room)} for the conversation; ${LEAST_ROOM} are needed.`,
    hint: "Choose a summariser with a larger window, or a smaller maxTokens.",
    details: { window, output, frame, notes },
  });
}

function checkCalls(needed: number, { maxCalls }: Reading): void {
  if (needed <= maxCalls) return;
  throw new VarveError({
    code: "invalid-option",
    message: `The summary needs ${needed} calls of the model; ${maxCalls} are allowed.`,
    hint: "Raise maxCalls, set maxResultTokens, or choose a summariser with a larger window.",
    details: { needed, maxCalls },
  });
}

/** The model's answer on the next chunk; undefined where the provider finds it too long. */
async function ask(reading: Reading, { chunks, sections, calls }: Progress): Promise<Completion | undefined> {
  const { model, request, output } = reading;
  checkCalls(calls + 1, reading);
  const { maxTokens, focus, faults, signal } = request;
  signal?.throwIfAborted();
  const notes = renderSections(sections, true);
  const prompt = summaryPrompt({ conversation: chunkText(chunks[0]!), notes, maxTokens, focus, faults });
  try {
    const answer = await model.complete({ system: SUMMARY_SYSTEM, prompt, maxOutputTokens: output, signal });
    return { ...answer, text: withoutReasoning(answer.text) };
  } catch (error) {
    if (VarveError.isInstance(error) && error.code === "context-overflow") return undefined;
    throw error;
  }
}

function halved(reading: Reading, progress: Progress): Progress {
  const { counter } = reading.request;
  const room = Math.floor(Math.min(progress.room, progress.chunks[0]?.tokens ?? 0) / 2);
  if (room < LEAST_ROOM) throw tooLong();
  const chunks = pack(
    progress.chunks.flatMap(({ units }) => units),
    room,
    counter,
  );
  const calls = progress.calls + 1;
  checkCalls(calls + chunks.length, reading);
  return { ...progress, room, chunks, calls, repeated: false, alone: false };
}

const tooLong = (): VarveError =>
  new VarveError({
    code: "context-overflow",
    message: `The model finds ${LEAST_ROOM} tokens of conversation too long.`,
    hint: "Choose a summariser with a larger window.",
  });

function advanced(progress: Progress, changed: Sections, { maxTokens, counter }: SummaryRequest): Progress {
  const { sections, left } = fitSections(changed, { maxTokens, counter, left: progress.left });
  return { ...progress, sections, left, chunks: progress.chunks.slice(1), calls: progress.calls + 1, repeated: false };
}

function again(progress: Progress, answer: Completion): Progress {
  if (!progress.repeated) return { ...progress, calls: progress.calls + 1, repeated: true };
  throw new VarveError({
    code: "model-failed",
    message: "The model gave no notes that can be used, twice.",
    hint: "Choose a model that follows instructions better, or the extractive summariser.",
    details: { kind: "unusable-answer", finish: answer.finish, answer: answer.text.slice(0, 500) },
  });
}
