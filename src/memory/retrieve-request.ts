import { invalidOption } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { checkTags, checkText, checkTime } from "./check-input.js";
import { checkCount, checkFilter } from "./check-request.js";
import type { MemoryFilter, RetrieveOptions } from "./memory.js";
import { type QuestionTime, questionTime } from "./when/question-time.js";

/** A question that has been checked and read. */
export interface RetrieveRequest {
  readonly question: string;
  readonly limit: number;
  readonly maxTokens: number;
  readonly threshold: number;
  /** Whether what has nothing to do with the question is left out. */
  readonly relevant: boolean;
  readonly asOf: number;
  readonly time: QuestionTime;
  readonly tags: readonly string[];
  readonly where: MemoryFilter;
  /** Closed memories are shown, though the question is about now for all that is known. */
  readonly closedIsDoubtful: boolean;
  /** Whether it takes a memory's text to tell if it is wanted. */
  readonly filters: boolean;
  readonly window: { readonly from?: number; readonly to?: number; readonly openAt?: number };
}

const OPTIONS: OptionNames<RetrieveOptions> = {
  limit: true,
  maxTokens: true,
  asOf: true,
  superseded: true,
  similarityThreshold: true,
  where: true,
  signal: true,
  relevant: true,
};

export function toRequest(question: string, options: RetrieveOptions, now: number): RetrieveRequest {
  if (checkText(question, "query")?.trim() === "" || question === undefined)
    throw invalidOption({ option: "query", value: question, allowed: "a text that is not empty" });
  checkNames(options, OPTIONS, "memory.retrieve");
  const where = checkFilter(options.where ?? {}, "memory.retrieve");
  const { asOf, superseded, similarityThreshold = 0, maxTokens } = options;
  const at = asOf === undefined ? now : checkTime(asOf, "asOf");
  const time = questionTime(question, at);
  const to = Math.min(
    where.to === undefined ? Infinity : checkTime(where.to, "where.to"),
    asOf === undefined ? Infinity : at + 1,
  );
  const showClosed = superseded ?? (asOf === undefined && time.past !== "no");
  return {
    question,
    relevant: options.relevant ?? false,
    limit: checkCount(options.limit ?? (maxTokens === undefined ? 10 : 50), "limit"),
    maxTokens: maxTokens === undefined ? Infinity : checkCount(maxTokens, "maxTokens"),
    threshold: checkThreshold(similarityThreshold),
    asOf: at,
    time,
    tags: where.tags === undefined ? [] : checkTags(where.tags, "where.tags"),
    where,
    closedIsDoubtful: superseded === undefined && time.past === "maybe",
    filters: Object.keys(where).some((name) => !["tags", "from", "to"].includes(name)),
    window: {
      ...(where.from === undefined ? {} : { from: checkTime(where.from, "where.from") }),
      ...(to === Infinity ? {} : { to }),
      ...(showClosed ? {} : { openAt: at }),
    },
  };
}

function checkThreshold(value: unknown): number {
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  throw invalidOption({ option: "similarityThreshold", value, allowed: "a number from 0 to 1" });
}
