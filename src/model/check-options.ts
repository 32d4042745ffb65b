/** Checks of what models are made with: a mistake is named here, and not found out by the first request. */
import { invalidOption } from "../errors.js";
import type { OptionNames } from "../message/option-names.js";
import { isObject } from "../message/plain-value.js";
import type { AttemptOptions } from "./attempts.js";
import type { LanguageModel } from "./language-model.js";

export const ATTEMPT_OPTIONS: OptionNames<AttemptOptions> = {
  timeout: true,
  retries: true,
  longestWait: true,
  sleep: true,
  random: true,
  now: true,
};

/** A text that must be there. */
export function checkText(option: string, value: unknown, example: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw invalidOption({ option, value, allowed: `a text, such as ${JSON.stringify(example)}` });
}

/** The address of a server. */
export function checkAddress(option: string, value: unknown, example: string): string {
  if (typeof value === "string" && URL.canParse(value)) return value;
  throw invalidOption({ option, value, allowed: `an address, such as ${JSON.stringify(example)}` });
}

/** A language model of the application's. */
export function checkModel(option: string, model: unknown): LanguageModel {
  if (isModel(model)) return model;
  throw invalidOption({ option, value: model, allowed: "a model, such as openaiCompatible({ … })" });
}

const isModel = (value: unknown): value is LanguageModel =>
  isObject(value) && typeof value.name === "string" && typeof value.complete === "function";
