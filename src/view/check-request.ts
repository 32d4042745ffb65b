import { invalidOption } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { isObject } from "../message/plain-value.js";
import type { ViewRequest } from "./view.js";

/** Refuses what is not what a strategy's `plan` is given. */
export function checkPlanInput(input: unknown): void {
  const parts = ["reading", "budget", "state", "request"];
  if (isObject(input) && parts.every((part) => isObject(input[part]))) return;
  throw invalidOption({ option: "input", value: input, allowed: "what the plan of a strategy is given" });
}

export const VIEW_REQUEST: OptionNames<ViewRequest> = { system: true, tools: true, context: true, cache: true };

/** Refuses a request for a view that is none, before anything is counted or cut. */
export function checkViewRequest(request: unknown): ViewRequest {
  if (!isObject(request)) {
    throw invalidOption({ option: "request", value: request, allowed: "an object: { system, tools, context }" });
  }
  checkNames(request, VIEW_REQUEST, "session.view");
  for (const option of ["system", "context"]) {
    const value = request[option];
    if (value !== undefined && typeof value !== "string") throw invalidOption({ option, value, allowed: "a string" });
  }
  const { tools, cache } = request;
  const allowed = "a list of tools, each an object as the provider takes it";
  if (tools !== undefined && !Array.isArray(tools)) throw invalidOption({ option: "tools", value: tools, allowed });
  const odd = tools?.findIndex((tool) => !isObject(tool)) ?? -1;
  if (odd >= 0) throw invalidOption({ option: `tools[${odd}]`, value: tools?.[odd], allowed: "an object" });
  if (cache !== undefined && cache !== "warm" && cache !== "cold")
    throw invalidOption({ option: "cache", value: cache, allowed: '"warm" or "cold"' });
  return request;
}
