import { invalidOption } from "../errors.js";
import { type OptionNames, unknownName, unknownOption } from "../message/option-names.js";
import { isObject } from "../message/plain-value.js";
import { checkId, checkTags, checkText, checkTime } from "./check-input.js";
import type { Fact } from "./facts/fact.js";
import type { MemoryDetails, MemoryFilter, MemoryInput } from "./memory.js";
import type { FactAddition } from "./store-plan.js";
import { SOURCES } from "./trust/source.js";

const FILTERS: OptionNames<MemoryFilter> = {
  tags: true,
  speaker: true,
  source: true,
  kind: true,
  from: true,
  to: true,
  metadata: true,
};
const KINDS: readonly string[] = ["fact", "preference", "decision", "event"] satisfies readonly Fact["kind"][];

/** A filter whose every part means something. `of` says who is asked: "memory.list". */
export function checkFilter(where: unknown, of: string): MemoryFilter {
  if (!isObject(where)) throw invalidOption({ option: "where", value: where, allowed: "an object" });
  const name = unknownName(where, FILTERS);
  const known = Object.keys(FILTERS);
  if (name !== undefined) throw unknownOption({ option: `where.${name}`, known, of });
  const { tags, speaker, source, kind, from, to, metadata } = where as MemoryFilter;
  if (tags !== undefined) checkTags(tags, "where.tags");
  checkText(speaker, "where.speaker");
  checkOne(source, SOURCES, "where.source");
  checkOne(kind, KINDS, "where.kind");
  if (from !== undefined) checkTime(from, "where.from");
  if (to !== undefined) checkTime(to, "where.to");
  if (metadata !== undefined && !isObject(metadata))
    throw invalidOption({ option: "where.metadata", value: metadata, allowed: "an object" });
  return where as MemoryFilter;
}

function checkOne(value: unknown, known: readonly string[], option: string): void {
  if (value === undefined || (typeof value === "string" && known.includes(value))) return;
  throw invalidOption({ option, value, allowed: `one of ${known.join(", ")}` });
}

export function checkCount(value: unknown, option: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw invalidOption({ option, value, allowed: "a whole number from 1" });
}

/** What is known of a text: names of its own are metadata. */
export function checkDetails(details: unknown): MemoryDetails {
  if (isObject(details)) return details;
  throw invalidOption({ option: "details", value: details, allowed: `an object, such as { tags: ["preference"] }` });
}

/** A list of texts; what is in each of them is checked as it is read. */
export function checkTexts(texts: unknown): readonly MemoryInput[] {
  if (Array.isArray(texts) && texts.every(isText)) return texts;
  throw invalidOption({ option: "texts", value: texts, allowed: "a list of { content, … }" });
}

const isText = (text: unknown): text is MemoryInput => isObject(text);

export function checkIds(ids: unknown): readonly string[] {
  if (Array.isArray(ids)) return ids.map(checkId);
  throw invalidOption({ option: "ids", value: ids, allowed: "a list of ids" });
}

export function checkAdditions(additions: unknown): readonly FactAddition[] {
  if (Array.isArray(additions) && additions.every(isAddition)) return additions;
  throw invalidOption({
    option: "additions",
    value: additions,
    allowed: "a list of { id, facts: [{ text, kind, … }] }",
  });
}

const isAddition = (addition: unknown): addition is FactAddition =>
  isObject(addition) && checkId(addition.id) !== "" && Array.isArray(addition.facts) && addition.facts.every(isFact);

const isFact = (fact: unknown): fact is Fact =>
  isObject(fact) &&
  typeof fact.text === "string" &&
  KINDS.includes(String(fact.kind)) &&
  [fact.slot, fact.value, fact.closes].every((part) => part === undefined || typeof part === "string");
