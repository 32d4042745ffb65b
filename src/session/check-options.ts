/** Checks of what applications pass in, so that a mistake is named where it is made and not found out by a view. */
import type { Summariser } from "../digest/summariser.js";
import { invalidOption, VarveError } from "../errors.js";
import { isObject, type UnknownFields } from "../message/plain-value.js";
import type { LanguageModel } from "../model/language-model.js";
import type { Store } from "../store/store.js";
import { checkSessionMemory } from "./memory/memory-options.js";
import { SESSION_OPTIONS } from "./session-options.js";

export function checkOptions(options: unknown): UnknownFields {
  if (isObject(options)) return options;
  const allowed = "an object, such as { window: 128_000 }";
  throw invalidOption({ option: "options", value: options, allowed });
}

/** The options of a session, of its opening or of a change. What decides the window is checked where it is resolved. */
export function checkSessionOptions(options: unknown): void {
  const fields = checkOptions(options);
  const { archive, pinBudget, cacheLifetime, checkpointEvery, memory } = fields;
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(SESSION_OPTIONS, name));
  if (unknown !== undefined) throw unknownOption(unknown, fields[unknown]);
  checkSessionMemory(memory);
  if (checkpointEvery !== undefined && !(Number.isInteger(checkpointEvery) && Number(checkpointEvery) >= 1))
    throw invalidOption({ option: "checkpointEvery", value: checkpointEvery, allowed: "a whole number from 1" });
  if (pinBudget !== undefined && !(typeof pinBudget === "number" && pinBudget > 0 && pinBudget <= 1))
    throw invalidOption({ option: "pinBudget", value: pinBudget, allowed: "a share above 0 and up to 1" });
  if (cacheLifetime !== undefined && !(typeof cacheLifetime === "number" && cacheLifetime >= 0))
    throw invalidOption({ option: "cacheLifetime", value: cacheLifetime, allowed: "milliseconds from 0" });
  if (archive !== undefined && typeof archive !== "function")
    throw invalidOption({ option: "archive", value: archive, allowed: "a function that takes messages" });
}

const unknownOption = (option: string, value: unknown): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `There is no option ${option} of a session.`,
    hint: `Known are ${Object.keys(SESSION_OPTIONS).join(", ")}.`,
    details: { option, value },
  });

export function checkSessionId(id: unknown): void {
  if (typeof id !== "string" || id === "" || !id.isWellFormed() || id.includes("\0"))
    throw invalidOption({ option: "id", value: id, allowed: 'a name for the session, such as "user:agent:1"' });
}

export function checkAppendOptions(options: unknown): void {
  const { key } = checkOptions(options);
  if (key !== undefined && (typeof key !== "string" || key === ""))
    throw invalidOption({ option: "key", value: key, allowed: 'a name for the append, such as "message-17"' });
}

const HITS = 5;

/** How many entries a search is to find. */
export function checkSearch(query: unknown, options: unknown): number {
  if (typeof query !== "string")
    throw invalidOption({ option: "query", value: query, allowed: 'the words to look for, such as "port number"' });
  const { limit = HITS } = checkOptions(options);
  if (Number.isSafeInteger(limit) && Number(limit) >= 1) return Number(limit);
  throw invalidOption({ option: "limit", value: limit, allowed: "a whole number of entries from 1" });
}

/** The usage that a provider reported. */
export function checkUsage(usage: unknown): void {
  const tokens = isObject(usage) ? usage.inputTokens : undefined;
  if (typeof tokens === "number" && tokens >= 0 && Number.isFinite(tokens)) return;
  const value = isObject(usage) ? tokens : usage;
  const allowed = "{ inputTokens }, the number of tokens that the provider counted";
  throw invalidOption({ option: isObject(usage) ? "usage.inputTokens" : "usage", value, allowed });
}

export function checkSummariser(summariser: unknown): Summariser | undefined {
  if (summariser === undefined || isSummariser(summariser)) return summariser;
  const allowed = "a summariser, such as modelSummariser(model)";
  throw invalidOption({ option: "summariser", value: summariser, allowed });
}

const isSummariser = (value: unknown): value is Summariser => isObject(value) && typeof value.summarise === "function";

/** A language model of the application's. */
export function checkModel(model: unknown): LanguageModel | undefined {
  if (model === undefined || isModel(model)) return model;
  throw invalidOption({ option: "memoryModel", value: model, allowed: "a model, such as openaiCompatible({ … })" });
}

const isModel = (value: unknown): value is LanguageModel => isObject(value) && typeof value.complete === "function";

const METHODS = ["read", "version", "commit", "replace", "sessions", "delete", "close"] as const;

export function checkStore(store: unknown): string | Store | undefined {
  if (store === undefined || typeof store === "string" || isStore(store)) return store;
  const allowed = `"memory", or a Store: an object with the methods ${METHODS.join(", ")}`;
  throw invalidOption({ option: "store", value: store, allowed });
}

const isStore = (value: unknown): value is Store =>
  isObject(value) && METHODS.every((method) => typeof value[method] === "function");
