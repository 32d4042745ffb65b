import { type Exchange, hasDistinctIds, historyOf, membersOf, type PairedCall, toExchanges } from "./exchanges.js";
import { withCallId } from "./tool-call.js";
import type {
  AssistantMessage,
  History,
  Message,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
  UserMessage,
} from "./types.js";

/** What was wrong with a history, and what a view shows instead. The log keeps the original. */
export type RepairKind =
  /** A call without a result is closed with a stated synthetic one. */
  | "unanswered-call"
  /** A result that no call asked for is left out. */
  | "orphan-result"
  /** A second result for one call is left out. */
  | "surplus-result"
  /** A result that came after other messages is moved up to its call. */
  | "late-result"
  /** A call without an id of its own gets one, and its result with it. */
  | "renamed-call"
  /** A message with nothing in it is left out. */
  | "blank-message"
  /** A system message inside the conversation is moved to its start. */
  | "late-system"
  /** A conversation that starts with the assistant, or has nothing to show, gets a user message in front. */
  | "missing-opener";

export interface Repair {
  readonly kind: RepairKind;
  /** Index of the message concerned. */
  readonly at: number;
  /** Id of the call concerned. */
  readonly call?: string;
}

export const NO_RESULT = "[No result was recorded for this call.]";

/** Stands where a provider demands that the user speaks first and the log holds no user message to put there. */
export const OPENER: UserMessage = Object.freeze({
  role: "user",
  content: "[The user has not spoken yet.]",
});

/**
 * Makes any history legal for every provider, and says what it changed.
 *
 * @example
 * ```ts
 * const { messages, repairs } = repair(fromOpenAI(recorded));
 * repairs; // [{ kind: "unanswered-call", at: 12, call: "call_9" }]
 * ```
 */
export function repair(messages: readonly Message[]): { messages: Message[]; repairs: Repair[] } {
  const exchanges = toExchanges(messages);
  const history = historyOf(messages);
  const system = exchanges.filter((exchange) => exchange.kind === "system");
  const rest = exchanges.filter((exchange) => exchange.kind !== "system");
  const shown = [...system, ...rest].flatMap((exchange) => legalMessages(exchange, history));
  const opener = openerAt(shown);
  if (opener !== undefined) shown.splice(opener, 0, OPENER);
  const start = messages.findIndex((message) => message.role !== "system");
  const repairs = exchanges.flatMap((exchange) => repairsOf(exchange, history));
  for (const { first } of system) if (start >= 0 && first > start) repairs.push({ kind: "late-system", at: first });
  if (opener !== undefined) repairs.push({ kind: "missing-opener", at: 0 });
  return { messages: shown, repairs: repairs.sort((a, b) => a.at - b.at) };
}

/** Where an opener must go: before the first message that is not the system's, unless the user wrote that. */
function openerAt(messages: readonly Message[]): number | undefined {
  const first = messages.findIndex((message) => message.role !== "system");
  if (first < 0) return messages.length;
  return messages[first]!.role === "user" ? undefined : first;
}

/** The messages of one exchange as every provider accepts them; the originals themselves where nothing is wrong. */
export function legalMessages(exchange: Exchange, history: History): readonly Message[] {
  if (exchange.kind === "blank" || exchange.kind === "orphan") return [];
  if (exchange.kind !== "calls") return [history.messageAt(exchange.first)];
  if (!exchange.clean) return rebuilt(exchange, history);
  const originals = membersOf(exchange).map((at) => history.messageAt(at));
  return exchange.waiting === 0 ? originals : [...originals, closing(exchange.calls)];
}

/** One tool message that answers the calls nobody answered. */
function closing(calls: readonly PairedCall[]): ToolMessage {
  return { role: "tool", content: calls.filter((call) => call.answerMessage < 0).map(({ part }) => noResult(part)) };
}

const noResult = ({ toolCallId, toolName }: ToolCallPart): ToolResultPart => ({
  type: "tool-result",
  toolCallId,
  toolName,
  output: { type: "error-text", value: NO_RESULT },
});

function rebuilt(exchange: Exchange, history: History): Message[] {
  const assistant = history.messageAt(exchange.first) as AssistantMessage;
  const ids = distinctIds(exchange);
  const renamed = hasDistinctIds(exchange.calls) ? assistant : renameCalls(assistant, exchange.calls, ids);
  const results = exchange.calls.map((call, at) => resultMessage(call, ids[at]!, history));
  return [renamed, ...approvals(exchange, history), ...results];
}

function distinctIds({ calls, first }: Exchange): string[] {
  const taken = new Set<string>();
  return calls.map(({ part }, at) => {
    const id = part.toolCallId !== "" && !taken.has(part.toolCallId) ? part.toolCallId : `call-${first}-${at}`;
    taken.add(id);
    return id;
  });
}

function renameCalls(
  message: AssistantMessage,
  calls: readonly PairedCall[],
  ids: readonly string[],
): AssistantMessage {
  if (typeof message.content === "string") return message;
  const content = message.content.map((part) => {
    const at = calls.findIndex((call) => call.part === part);
    return at < 0 || part.type !== "tool-call" ? part : withCallId(part, ids[at]!);
  });
  return { ...message, content };
}

function resultMessage(call: PairedCall, id: string, history: History): Message {
  if (call.answerMessage < 0) return { role: "tool", content: [{ ...noResult(call.part), toolCallId: id }] };
  const message = history.messageAt(call.answerMessage) as ToolMessage;
  const part = message.content[call.answerPart] as ToolResultPart;
  if (message.content.length === 1 && part.toolCallId === id) return message;
  return { role: "tool", content: [part.toolCallId === id ? part : { ...part, toolCallId: id }] };
}

/** Responses to approval requests stay with the calls they were about. */
function approvals(exchange: Exchange, history: History): ToolMessage[] {
  const content = membersOf(exchange)
    .slice(1)
    .flatMap((at) => (history.messageAt(at) as ToolMessage).content)
    .filter((part) => part.type === "tool-approval-response");
  return content.length === 0 ? [] : [{ role: "tool", content }];
}

/** What `legalMessages` changes about one exchange. */
export function repairsOf(exchange: Exchange, history: History): Repair[] {
  if (exchange.kind === "blank") return [{ kind: "blank-message", at: exchange.first }];
  if (exchange.kind === "orphan") return [{ kind: "orphan-result", at: exchange.first }];
  if (exchange.clean && exchange.waiting === 0) return [];
  const ids = distinctIds(exchange);
  return exchange.calls.flatMap((call, at) => callRepairs({ exchange, call, id: ids[at]!, history }));
}

function callRepairs(input: { exchange: Exchange; call: PairedCall; id: string; history: History }): Repair[] {
  const { exchange, call, id, history } = input;
  const repairs: Repair[] = [];
  const add = (kind: RepairKind, at: number) => repairs.push({ kind, at, call: call.part.toolCallId });
  if (call.part.toolCallId !== id) add("renamed-call", exchange.first);
  if (call.answerMessage < 0) add("unanswered-call", exchange.first);
  else if (!follows(exchange.first, call.answerMessage, history)) add("late-result", call.answerMessage);
  for (const at of call.surplus ?? []) add("surplus-result", at);
  return repairs;
}

/** True where only tool messages stand between a call and its result. */
function follows(call: number, result: number, history: History): boolean {
  for (let at = call + 1; at < result; at++) if (history.messageAt(at).role !== "tool") return false;
  return true;
}
