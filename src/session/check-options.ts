/** Checks of what applications pass in, so that a mistake is named where it is made and not found out by a view. */

import { invalidOption, VarveError } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { isObject } from "../message/plain-value.js";
import { checkSummariser } from "../notes/summariser.js";
import type { Store } from "../store/store.js";
import { checkViewRequest, VIEW_REQUEST } from "../view/check-request.js";
import type { ViewRequest } from "../view/view.js";
import { checkSessionMemory } from "./memory/memory-options.js";
import { type AppendOptions, type CompactOptions, SESSION_OPTIONS } from "./session-options.js";

/** The options of a session, of its opening or of a change. What decides the window is checked where it is resolved. */
export function checkSessionOptions(options: unknown): void {
  const fields = checkNames(options, SESSION_OPTIONS, "a session");
  const { archive, pinBudget, cacheLifetime, checkpointEvery, memory } = fields;
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

export function checkSessionId(id: unknown): void {
  if (typeof id !== "string" || id === "" || !id.isWellFormed() || id.includes("\0"))
    throw invalidOption({ option: "id", value: id, allowed: 'a name for the session, such as "user:agent:1"' });
}

const APPEND: OptionNames<AppendOptions> = { key: true };

export function checkAppendOptions(options: unknown): void {
  const { key } = checkNames(options, APPEND, "session.append");
  if (key !== undefined && (typeof key !== "string" || key === ""))
    throw invalidOption({ option: "key", value: key, allowed: 'a name for the append, such as "message-17"' });
}

const COMPACT: OptionNames<CompactOptions> = { ...VIEW_REQUEST, force: true };

export function checkCompact(options: unknown): { readonly force: boolean; readonly request: ViewRequest } {
  const { force = true, ...request } = checkNames(options, COMPACT, "session.compact");
  if (typeof force === "boolean") return { force, request: checkViewRequest(request) };
  throw invalidOption({ option: "force", value: force, allowed: "true or false" });
}

const HITS = 5;
const SEARCH = { limit: true };

/** How many entries a search is to find. */
export function checkSearch(query: unknown, options: unknown): number {
  if (typeof query !== "string")
    throw invalidOption({ option: "query", value: query, allowed: 'the words to look for, such as "port number"' });
  const { limit = HITS } = checkNames(options, SEARCH, "session.search");
  if (Number.isSafeInteger(limit) && Number(limit) >= 1) return Number(limit);
  throw invalidOption({ option: "limit", value: limit, allowed: "a whole number of entries from 1" });
}

/** About what somebody reads in five minutes. */
const NOTES_TOKENS = 2_000;
const NOTES = { maxTokens: true };

/** How long notes may be. */
export function checkNotes(options: unknown): number {
  const { maxTokens = NOTES_TOKENS } = checkNames(options, NOTES, "session.notes");
  if (Number.isSafeInteger(maxTokens) && Number(maxTokens) >= LEAST_NOTES) return Number(maxTokens);
  throw invalidOption({
    option: "maxTokens",
    value: maxTokens,
    allowed: `a whole number of tokens from ${LEAST_NOTES}`,
  });
}

/** The heading takes some. */
const LEAST_NOTES = 100;

/** The usage that a provider reported. */
export function checkUsage(usage: unknown): void {
  const tokens = isObject(usage) ? usage.inputTokens : undefined;
  if (typeof tokens === "number" && tokens >= 0 && Number.isFinite(tokens)) return;
  const value = isObject(usage) ? tokens : usage;
  const allowed = "{ inputTokens }, the number of tokens that the provider counted";
  throw invalidOption({ option: isObject(usage) ? "usage.inputTokens" : "usage", value, allowed });
}

const SUMMARISE = { signal: true };

/** What a summary on demand is made with. */
export function checkSummarise(summariser: unknown, options: unknown): void {
  checkNames(options, SUMMARISE, "session.summarise");
  checkSummariser(summariser);
}

const METHODS = ["read", "version", "commit", "replace", "sessions", "delete", "close"] as const;

/** A store that is given without a value would keep everything in memory, and lose it. */
export function checkStore(options: { readonly store?: unknown }): string | Store | undefined {
  const { store } = options;
  if (store === undefined && "store" in options) throw storeWithoutValue();
  if (store === undefined || typeof store === "string" || isStore(store)) return store;
  const allowed = `"memory", or a Store: an object with the methods ${METHODS.join(", ")}`;
  throw invalidOption({ option: "store", value: store, allowed });
}

const isStore = (value: unknown): value is Store =>
  isObject(value) && METHODS.every((method) => typeof value[method] === "function");

const storeWithoutValue = (): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: "The option store is given without a value.",
    hint: 'Is the variable set that it is taken from? Leave store out, or give "memory", where nothing is to be kept.',
    details: { option: "store", value: undefined },
  });
