/** What every view promises, checked of those that strategies of others make. */
import { countMessages } from "../compaction/count-messages.js";
import type { View } from "../compaction/view.js";
import { describeValue, type VarveError } from "../errors.js";
import { messageProblem } from "../message/check-message.js";
import { messageText } from "../message/content.js";
import { isObject } from "../message/plain-value.js";
import type { Message } from "../message/types.js";
import { PROVIDERS, violations } from "../wire/legality/violations.js";
import { pluginFault } from "./plugin-fault.js";
import type { StrategyInput } from "./strategy.js";

const LISTS = ["messages", "tools", "blocks", "repairs"];
const NUMBERS = ["tokens", "leftOut", "entries"];
/** Of a message that is shown at least so much of its beginning or its end is there. */
const TELLING = 24;

export interface ViewSource {
  readonly strategy: string;
  readonly input: StrategyInput;
}

/** Hands a view on that is one, fits, is legal, and shows what must not be missing. */
export function checkView(view: unknown, { strategy, input }: ViewSource): View {
  const fault = faultOf(view, input);
  if (fault === undefined) return view as View;
  throw refusal(strategy, fault);
}

/** Messages that somebody else composed. */
export function checkMessages(messages: readonly unknown[], strategy: string): readonly Message[] {
  const fault = messagesFault(messages);
  if (fault === undefined) return messages as readonly Message[];
  throw refusal(strategy, fault);
}

interface ViewFault {
  readonly what: string;
  readonly reason: string;
  readonly hint: string;
}

const refusal = (strategy: string, { what, reason, hint }: ViewFault): VarveError =>
  pluginFault({ strategy, what, hint, details: { reason } });

function faultOf(view: unknown, input: StrategyInput): ViewFault | undefined {
  const shape = shapeFault(view);
  if (shape !== undefined) return shape;
  const made = view as View;
  return messagesFault(made.messages) ?? sizeFault(made, input) ?? legalityFault(made) ?? missingFault(made, input);
}

function shapeFault(view: unknown): ViewFault | undefined {
  const shape = { reason: "shape", hint: "See the type View for what a view has." };
  if (!isObject(view)) return { ...shape, what: `made a view that is ${describeValue(view)}` };
  const wrong =
    LISTS.find((field) => !Array.isArray(view[field])) ??
    NUMBERS.find((field) => !Number.isFinite(view[field])) ??
    (view.receipt === undefined || isReceipt(view.receipt) ? undefined : "receipt");
  return wrong === undefined
    ? undefined
    : { ...shape, what: `made a view whose ${wrong} is ${describeValue(view[wrong])}` };
}

const isReceipt = (receipt: unknown): boolean => isObject(receipt) && Array.isArray(receipt.items);

function messagesFault(messages: readonly unknown[]): ViewFault | undefined {
  const at = messages.findIndex((message) => messageProblem(message) !== undefined);
  if (at < 0) return undefined;
  const what = `shows a message ${at} that ${messageProblem(messages[at])}`;
  return { what, reason: "message", hint: "Show messages of the log, or others of the same shape." };
}

function sizeFault(view: View, { budget, counter }: StrategyInput): ViewFault | undefined {
  const tools = view.tools.length === 0 ? 0 : counter.tools(view.tools);
  const tokens = Math.max(view.tokens, countMessages(view.messages, counter) + tools);
  if (tokens <= budget.usable) return undefined;
  const hint = "Leave out more, or throw a VarveError that says what cannot fit.";
  return { what: `made a view of ${tokens} tokens where ${budget.usable} are usable`, reason: "size", hint };
}

function legalityFault({ messages }: View): ViewFault | undefined {
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
function missingFault({ messages }: View, { log, pinned }: StrategyInput): ViewFault | undefined {
  const latest = log.requests.at(-1);
  if (latest !== undefined && !isShown(log.messageAt(latest), messages))
    return { what: "made a view without the latest message of the user", reason: "last-user", hint: HINT };
  const lost = pinned().find((position) => !isShown(log.messageAt(position), messages));
  if (lost === undefined) return undefined;
  const what = `made a view without the pinned entry ${log.entries[lost]!.id}`;
  return { what, reason: "pin", hint: "input.pinned() gives the positions of the entries that every view shows." };
}

const HINT = "Every view shows it: log.requests ends with its position.";

/** Whether a message is there, be it shortened or with something around it. */
function isShown(message: Message, shown: readonly Message[]): boolean {
  const text = messageText(message).trim();
  const others = shown.filter(({ role }) => role === message.role);
  if (text === "") return others.some(({ content }) => typeof content !== "string");
  const ends = [text.slice(0, TELLING), text.slice(-TELLING)];
  return others.some((other) => ends.some((end) => messageText(other).includes(end)));
}
