/** What every plan promises, checked of those that strategies of others make; their faults never reach the caller bare. */
import { describeValue, VarveError } from "../errors.js";
import { messageProblem } from "../message/check-message.js";
import { messageText } from "../message/content.js";
import { isObject } from "../message/plain-value.js";
import type { Message } from "../message/types.js";
import { PROVIDERS, violations } from "../wire/legality/violations.js";
import { countMessages } from "./count-messages.js";
import type { Plan } from "./plan.js";
import type { PlanInput } from "./policy.js";
import { render } from "./render.js";
import type { Strategy } from "./strategy.js";

export interface PluginFault {
  /** What a strategy did, behind its name: "shows no message". */
  readonly what: string;
  readonly hint: string;
  readonly cause?: unknown;
  readonly details?: Readonly<Record<string, unknown>>;
}

export const pluginFault = (strategy: string, { what, hint, cause, details }: PluginFault): VarveError =>
  new VarveError({
    code: "invalid-plugin",
    message: `The strategy "${strategy}" ${what}.`,
    hint,
    cause,
    details: { strategy, ...details },
  });

/** The error of a call into a plug-in. What it throws as a VarveError it means to say itself. */
export function callFault(strategy: string, method: string, error: unknown): VarveError {
  if (VarveError.isInstance(error)) return error;
  const why = error instanceof Error ? error.message : String(error);
  const hint = "The cause of this error is what the strategy threw.";
  return pluginFault(strategy, { what: `failed in ${method}: ${why}`, hint, cause: error, details: { method } });
}

const LISTS = ["items", "blocks", "lead", "dropped", "changes", "covers"];
const NUMBERS = ["tokens", "leftOut", "entries", "cut", "start"];
/** Of a message that is shown at least so much of its beginning or its end is there. */
const TELLING = 24;

/** Hands a plan on that is one, fits, is legal, and shows what must not be missing. */
export function checkPlan(plan: unknown, { name, policy }: Strategy, input: PlanInput): Plan {
  if (policy !== undefined) return plan as Plan;
  const refuse = (what: string) =>
    pluginFault(name, {
      what: `made a plan ${what}`,
      hint: "See the type Plan for what a plan has; planView(input, policy) makes one.",
      details: { reason: "shape" },
    });
  if (!isObject(plan)) throw refuse(`that is ${describeValue(plan)}`);
  const wrong =
    LISTS.find((field) => !Array.isArray(plan[field])) ?? NUMBERS.find((field) => !Number.isFinite(plan[field]));
  if (wrong !== undefined) throw refuse(`whose ${wrong} is ${describeValue(plan[wrong])}`);
  const messages = checkComposed(render(plan as unknown as Plan, input.reading.log), name);
  const fault = sizeFault(messages, input) ?? legalityFault(messages) ?? missingFault(messages, input);
  if (fault !== undefined) throw pluginFault(name, fault);
  return plan as unknown as Plan;
}

/** Messages that somebody else composed. */
export function checkComposed(messages: readonly unknown[], strategy: string): readonly Message[] {
  const at = messages.findIndex((message) => messageProblem(message) !== undefined);
  if (at < 0) return messages as readonly Message[];
  const what = `shows a message ${at} that ${messageProblem(messages[at])}`;
  const hint = "Show messages of the log, or others of the same shape.";
  throw pluginFault(strategy, { what, hint, details: { reason: "message" } });
}

function sizeFault(messages: readonly Message[], { budget, reading, request }: PlanInput): PluginFault | undefined {
  const tokens = countMessages(messages, reading.counter) + reading.toolTokens(request.tools ?? []);
  if (tokens <= budget.usable) return undefined;
  const hint = "Leave out more, or throw a VarveError that says what cannot fit.";
  const what = `made a view of ${tokens} tokens where ${budget.usable} are usable`;
  return { what, hint, details: { reason: "size" } };
}

function legalityFault(messages: readonly Message[]): PluginFault | undefined {
  if (messages.every(({ role }) => role === "system")) return undefined;
  for (const provider of PROVIDERS) {
    const [first] = violations(messages, provider);
    if (first === undefined) continue;
    const what = `made a view that ${provider} refuses: ${first.rule} at message ${first.at}`;
    const hint = "Keep calls and their results together, and let a user speak first.";
    return { what, hint, details: { reason: "legality" } };
  }
  return undefined;
}

/** The latest message of the user, and whatever is pinned. */
function missingFault(messages: readonly Message[], { reading: { log }, pinned }: PlanInput): PluginFault | undefined {
  const latest = log.requests.slice(-1);
  const lost = [...latest, ...pinned].find((position) => !isShown(log.messageAt(position), messages));
  if (lost === undefined) return undefined;
  if (latest.includes(lost)) {
    const hint = "Every view shows it: log.requests ends with its position.";
    return { what: "made a view without the latest message of the user", hint, details: { reason: "last-user" } };
  }
  const what = `made a view without the pinned entry ${log.entries[lost]!.id}`;
  const hint = "input.pinned has the positions of the entries that every view shows.";
  return { what, hint, details: { reason: "pin" } };
}

/** Whether a message is there, be it shortened or with something around it. */
function isShown(message: Message, shown: readonly Message[]): boolean {
  const text = messageText(message).trim();
  const others = shown.filter(({ role }) => role === message.role);
  if (text === "") return others.some(({ content }) => typeof content !== "string");
  const ends = [text.slice(0, TELLING), text.slice(-TELLING)];
  return others.some((other) => ends.some((end) => messageText(other).includes(end)));
}
