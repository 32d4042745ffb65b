/** What every plan promises, checked of those that strategies of others make. */
import { describeValue } from "../errors.js";
import { messageProblem } from "../message/check-message.js";
import { messageText } from "../message/content.js";
import { isObject } from "../message/plain-value.js";
import type { Message } from "../message/types.js";
import { PROVIDERS, violations } from "../wire/legality/violations.js";
import type { Plan } from "./plan.js";
import { pluginFault } from "./plugin-fault.js";
import type { PlanInput } from "./policy.js";
import { render } from "./render.js";
import type { Strategy } from "./strategy.js";

const LISTS = ["items", "blocks", "lead", "dropped", "changes", "covers"];
const NUMBERS = ["tokens", "leftOut", "entries", "cut", "start"];
/** Of a message that is shown at least so much of its beginning or its end is there. */
const TELLING = 24;

interface PlanFault {
  readonly what: string;
  readonly reason: string;
  readonly hint: string;
}

/** Hands a plan on that is one, fits, is legal, and shows what must not be missing. */
export function checkPlan(plan: unknown, { name, policy }: Strategy, input: PlanInput): Plan {
  if (policy === undefined) refuse(name, faultOf(plan, input));
  return plan as Plan;
}

/** Messages that somebody else composed. */
export function checkComposed(messages: readonly unknown[], strategy: string): readonly Message[] {
  refuse(strategy, messagesFault(messages));
  return messages as readonly Message[];
}

function refuse(strategy: string, fault: PlanFault | undefined): void {
  if (fault === undefined) return;
  const { what, reason, hint } = fault;
  throw pluginFault({ strategy, what, hint, details: { reason } });
}

function faultOf(given: unknown, input: PlanInput): PlanFault | undefined {
  const shape = { reason: "shape", hint: "See the type Plan for what a plan has; planView(input, policy) makes one." };
  if (!isObject(given)) return { ...shape, what: `made a plan that is ${describeValue(given)}` };
  const wrong =
    LISTS.find((field) => !Array.isArray(given[field])) ?? NUMBERS.find((field) => !Number.isFinite(given[field]));
  if (wrong !== undefined) return { ...shape, what: `made a plan whose ${wrong} is ${describeValue(given[wrong])}` };
  const messages = render(given as unknown as Plan, input.reading.log);
  return (
    messagesFault(messages) ?? sizeFault(messages, input) ?? legalityFault(messages) ?? missingFault(messages, input)
  );
}

function messagesFault(messages: readonly unknown[]): PlanFault | undefined {
  const at = messages.findIndex((message) => messageProblem(message) !== undefined);
  if (at < 0) return undefined;
  const what = `shows a message ${at} that ${messageProblem(messages[at])}`;
  return { what, reason: "message", hint: "Show messages of the log, or others of the same shape." };
}

function sizeFault(messages: readonly Message[], { budget, reading, request }: PlanInput): PlanFault | undefined {
  const tools = reading.toolTokens(request.tools ?? []);
  const tokens = messages.reduce((sum, message) => sum + reading.counter.message(message), tools);
  if (tokens <= budget.usable) return undefined;
  const hint = "Leave out more, or throw a VarveError that says what cannot fit.";
  return { what: `made a view of ${tokens} tokens where ${budget.usable} are usable`, reason: "size", hint };
}

function legalityFault(messages: readonly Message[]): PlanFault | undefined {
  if (messages.every(({ role }) => role === "system")) return undefined;
  for (const provider of PROVIDERS) {
    const [first] = violations(messages, provider);
    if (first === undefined) continue;
    const what = `made a view that ${provider} refuses: ${first.rule} at message ${first.at}`;
    return { what, reason: "legality", hint: "Keep calls and their results together, and let a user speak first." };
  }
  return undefined;
}

/** The latest message of the user, and whatever is pinned. */
function missingFault(messages: readonly Message[], { reading: { log }, pinned }: PlanInput): PlanFault | undefined {
  const latest = log.requests.slice(-1);
  const lost = [...latest, ...pinned].find((position) => !isShown(log.messageAt(position), messages));
  if (lost === undefined) return undefined;
  if (latest.includes(lost)) {
    const hint = "Every view shows it: log.requests ends with its position.";
    return { what: "made a view without the latest message of the user", reason: "last-user", hint };
  }
  const what = `made a view without the pinned entry ${log.entries[lost]!.id}`;
  return { what, reason: "pin", hint: "input.pinned has the positions of the entries that every view shows." };
}

/** Whether a message is there, be it shortened or with something around it. */
function isShown(message: Message, shown: readonly Message[]): boolean {
  const text = messageText(message).trim();
  const others = shown.filter(({ role }) => role === message.role);
  if (text === "") return others.some(({ content }) => typeof content !== "string");
  const ends = [text.slice(0, TELLING), text.slice(-TELLING)];
  return others.some((other) => ends.some((end) => messageText(other).includes(end)));
}
