import { approvalsOf, deniedResult, requestsIn, responsesIn } from "./approvals.js";
import { callsOf } from "./content.js";
import { type Exchange, historyOf, membersOf, toExchanges } from "./exchanges.js";
import type { PairedCall } from "./paired-calls.js";
import { legalSpeech, speechRepairs } from "./speech.js";
import { withCallId } from "./tool-call.js";
import type {
  AssistantMessage,
  History,
  Message,
  ToolApprovalResponse,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
  UserMessage,
} from "./types.js";

/** What was wrong with a history, and what a view shows instead. The log keeps the original. */
export type RepairKind =
  /** A call without a result is closed with a stated synthetic one. */
  | "unanswered-call"
  /** A call that was denied is closed with the denial and its reason. */
  | "denied-call"
  /** A result that no call asked for is left out, be it one that the provider made itself. */
  | "orphan-result"
  /** A second result for one call is left out. */
  | "surplus-result"
  /** A result that came after other messages is moved up to its call. */
  | "late-result"
  /** A result inside the message of its call is moved behind it. */
  | "inline-result"
  /** A call without an id of its own gets one, and its result with it. */
  | "renamed-call"
  /** Signed reasoning at the end of a message, which led to nothing, is left out. */
  | "trailing-reasoning"
  /** A message with nothing in it is left out. */
  | "blank-message"
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

/** Stands where a provider demands that the user speaks first and nothing from the user's side is to be shown there. */
export const OPENER: UserMessage = Object.freeze({
  role: "user",
  content: "[Placeholder: the user wrote nothing here.]",
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
  const shown = exchanges.flatMap((exchange) => legalMessages(exchange, history));
  const opener = openerAt(shown);
  if (opener !== undefined) shown.splice(opener, 0, OPENER);
  const repairs = exchanges.flatMap((exchange) => repairsOf(exchange, history));
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
  if (exchange.kind !== "calls") {
    const message = history.messageAt(exchange.first);
    return [exchange.misspoken ? legalSpeech(message, exchange) : message];
  }
  if (!exchange.clean) return rebuilt(exchange, history);
  const originals = legalMembers(exchange, history);
  if (exchange.waiting === 0 && !exchange.approving) return originals;
  const closed = closings(exchange, history);
  if (!endsWell(exchange, originals, closed)) return rebuilt(exchange, history);
  const content = closed.results.filter((part) => part !== undefined);
  return content.length === 0 ? originals : [...originals, { role: "tool", content }];
}

/**
 * The messages of an exchange that is clean, one for each of its members: results stand under the ids of their calls,
 * and what the assistant said is legal.
 */
export function legalMembers(exchange: Exchange, history: History): Message[] {
  if (!exchange.blankIds && !exchange.misspoken) return membersOf(exchange).map((at) => history.messageAt(at));
  const answered = exchange.blankIds ? answeredCalls(exchange, history) : undefined;
  return membersOf(exchange).map((at) => {
    const message = history.messageAt(at);
    if (message.role !== "tool") return legalSpeech(message, exchange);
    return answered === undefined ? message : withCallIds(message, answered);
  });
}

type AnsweredCalls = ReadonlyMap<ToolMessage["content"][number], ToolCallPart>;

const answeredCalls = ({ calls }: Exchange, history: History): AnsweredCalls =>
  new Map(calls.flatMap((call) => (call.answerMessage < 0 ? [] : [[resultOf(call, history), call.part]])));

const resultOf = ({ answerMessage, answerPart }: PairedCall, history: History): ToolResultPart =>
  history.messageAt(answerMessage).content[answerPart] as ToolResultPart;

function withCallIds(message: ToolMessage, calls: AnsweredCalls): ToolMessage {
  if (message.content.every((part) => part.type !== "tool-result" || part.toolCallId !== "")) return message;
  const content = message.content.map((part) => {
    const call = part.type === "tool-result" ? calls.get(part) : undefined;
    return call === undefined || part.type !== "tool-result" ? part : answering(part, call, call.toolCallId);
  });
  return { ...message, content };
}

/** Whether the AI SDK, which runs what the last message approves, would run just what is still to run. */
function endsWell(
  { approving }: Exchange,
  originals: readonly Message[],
  { results, acting, open }: Closings,
): boolean {
  if (!approving) return true;
  const isClosing = results.some((part) => part !== undefined);
  const given = responsesIn(originals.at(-1)!);
  const onlyOpen = given.every((part) => open.has(part));
  if (acting) return !isClosing && onlyOpen && given.length === open.size;
  // In a single message the results stand beside the answers, where the SDK sees them.
  return isClosing || onlyOpen || originals.length === 2;
}

interface Closings {
  /** For each call the result that closes it; undefined for one that has a result or stays open. */
  readonly results: readonly (ToolResultPart | undefined)[];
  /** Whether an approved call may yet run. Denials beside it stay open with it: who runs the one closes the other. */
  readonly acting: boolean;
  /** The answers that must stand last: one for each call that stays open, and those about calls of the provider. */
  readonly open: ReadonlySet<ToolApprovalResponse>;
}

function closings(exchange: Exchange, history: History): Closings {
  const { calls, approving } = exchange;
  const ids = distinctIds(exchange, history);
  const approvals = approvalsOf(history.messageAt(exchange.first), furtherMessages(exchange, history));
  const responses = calls.map(({ part }, at) => (ids[at] === part.toolCallId ? approvals.get(ids[at]) : undefined));
  const acting = approving && calls.some((call, at) => call.answerMessage < 0 && responses[at]?.approved === true);
  const results = calls.map(({ part, answerMessage }, at) => {
    if (answerMessage >= 0 || (acting && responses[at] !== undefined)) return undefined;
    return responses[at]?.approved === false ? deniedResult(part, responses[at]) : noResult(part);
  });
  const isClosed = (at: number) => calls[at]!.answerMessage >= 0 || results[at] !== undefined;
  // A blank id is no call's: such calls are renamed.
  const closed = new Set(["", ...ids.filter((_, at) => isClosed(at))]);
  const open = [...approvals].flatMap(([id, response]) => (approving && !closed.has(id) ? [response] : []));
  return { results, acting, open: new Set(open) };
}

const furtherMessages = (exchange: Exchange, history: History): Message[] =>
  membersOf(exchange)
    .slice(1)
    .map((at) => history.messageAt(at));

const noResult = ({ toolCallId, toolName }: ToolCallPart): ToolResultPart => ({
  type: "tool-result",
  toolCallId,
  toolName,
  output: { type: "error-text", value: NO_RESULT },
});

function rebuilt(exchange: Exchange, history: History): Message[] {
  const { open } = closings(exchange, history);
  const settled = responsesTo(exchange, history).filter((part) => !open.has(part));
  const messages = batchesOf(exchange, history).flatMap((batch, place): Message[] => [
    rebuiltSpeech(batch, exchange, history),
    ...(place === 0 ? toolMessage(settled) : []),
    ...batch.answers.flatMap((answer) => resultMessage(answer, history)),
  ]);
  return messages.concat(toolMessage([...open]));
}

/** A message of the assistant with its calls and what answers them. */
interface Batch {
  readonly at: number;
  readonly answers: readonly Answer[];
}

function batchesOf(exchange: Exchange, history: History): Batch[] {
  const ids = distinctIds(exchange, history);
  const { results: closing } = closings(exchange, history);
  const answers = exchange.calls.map((call, at): Answer => ({ call, id: ids[at]!, closing: closing[at] }));
  const starts = startsOf(exchange, history);
  return speechesOf(exchange).map((at, place) => ({ at, answers: answers.slice(starts[place], starts[place + 1]) }));
}

/** Positions of the assistant's messages in an exchange. */
const speechesOf = ({ first, continued }: Exchange): readonly number[] =>
  continued === undefined ? [first] : [first, ...continued];

function rebuiltSpeech({ at, answers }: Batch, exchange: Exchange, history: History): Message {
  const message = withoutResults(history.messageAt(at) as AssistantMessage, { at, answers });
  const isRenamed = answers.some(({ call, id }) => call.part.toolCallId !== id);
  return legalSpeech(isRenamed ? renameCalls(message, answers) : message, exchange);
}

/** The message without the results of its own calls. */
function withoutResults(message: AssistantMessage, { at, answers }: Batch): AssistantMessage {
  if (typeof message.content === "string" || !answers.some(({ call }) => call.answerMessage === at)) return message;
  const ids = new Set(answers.map(({ call }) => call.part.toolCallId));
  const content = message.content.filter((part) => part.type !== "tool-result" || !ids.has(part.toolCallId));
  return { ...message, content };
}

/** An id for each call that no other of its message has. */
function distinctIds(exchange: Exchange, history: History): string[] {
  const { calls, first } = exchange;
  const starts = new Set(exchange.continued && startsOf(exchange, history));
  let taken = new Set<string>();
  return calls.map(({ part }, at) => {
    if (starts.has(at)) taken = new Set();
    const id = part.toolCallId !== "" && !taken.has(part.toolCallId) ? part.toolCallId : `call-${first}-${at}`;
    taken.add(id);
    return id;
  });
}

/** For each message of the assistant, which of the calls is its first. */
function startsOf(exchange: Exchange, history: History): number[] {
  let next = 0;
  return speechesOf(exchange).map((at) => {
    const start = next;
    next += callsOf(history.messageAt(at)).length;
    return start;
  });
}

function renameCalls(message: AssistantMessage, answers: readonly Answer[]): AssistantMessage {
  if (typeof message.content === "string") return message;
  let next = 0;
  const content = message.content.map((part) =>
    part.type === "tool-call" && !part.providerExecuted ? withCallId(part, answers[next++]!.id) : part,
  );
  return { ...message, content };
}

interface Answer {
  readonly call: PairedCall;
  readonly id: string;
  readonly closing: ToolResultPart | undefined;
}

function resultMessage({ call, id, closing }: Answer, history: History): Message[] {
  if (call.answerMessage < 0)
    return closing === undefined ? [] : [{ role: "tool", content: [answering(closing, call.part, id)] }];
  const message = history.messageAt(call.answerMessage) as ToolMessage | AssistantMessage;
  const part = resultOf(call, history);
  if (message.role === "tool" && message.content.length === 1 && part.toolCallId === id) return [message];
  return [{ role: "tool", content: [answering(part, call.part, id)] }];
}

/** A result under the id of its call; one with neither id nor name has the name of its call too. */
function answering(part: ToolResultPart, call: ToolCallPart, toolCallId: string): ToolResultPart {
  if (part.toolCallId === toolCallId) return part;
  return part.toolCallId === "" && part.toolName === ""
    ? { ...part, toolCallId, toolName: call.toolName }
    : { ...part, toolCallId };
}

/** The answers to the requests for approval of an exchange; messages that it shares may hold others. */
function responsesTo(exchange: Exchange, history: History): ToolApprovalResponse[] {
  const asked = new Set(requestsIn(history.messageAt(exchange.first)).map(({ approvalId }) => approvalId));
  return furtherMessages(exchange, history)
    .flatMap(responsesIn)
    .filter(({ approvalId }) => asked.has(approvalId));
}

const toolMessage = (content: ToolApprovalResponse[]): ToolMessage[] =>
  content.length === 0 ? [] : [{ role: "tool", content }];

const NO_REPAIRS: readonly Repair[] = [];

/** What `legalMessages` changes about one exchange. */
export function repairsOf(exchange: Exchange, history: History): readonly Repair[] {
  if (exchange.kind === "blank") return [{ kind: "blank-message", at: exchange.first }];
  if (exchange.kind === "orphan") return [{ kind: "orphan-result", at: exchange.first }];
  if (exchange.clean && exchange.waiting === 0) {
    if (exchange.continued === undefined && !exchange.misspoken) return NO_REPAIRS;
    if (exchange.continued === undefined) return repairsAt(exchange.first, history.messageAt(exchange.first), exchange);
    return speechesOf(exchange).flatMap((at) => repairsAt(at, history.messageAt(at), exchange));
  }
  return batchesOf(exchange, history).flatMap((batch) => {
    const { at, answers } = batch;
    const message = withoutResults(history.messageAt(at) as AssistantMessage, batch);
    const end = endOfResults(exchange, at, history);
    return [...repairsAt(at, message, exchange), ...answers.flatMap((answer) => callRepairs(answer, at, end))];
  });
}

function repairsAt(at: number, message: Message, exchange: Exchange): Repair[] {
  const found = speechRepairs(message, exchange);
  const repairs: Repair[] = found.length === 0 ? [] : found.map((each) => ({ ...each, at }));
  if (exchange.continued !== undefined && exchange.scattered?.includes(at)) repairs.push({ kind: "late-result", at });
  return repairs;
}

function callRepairs({ call, id, closing }: Answer, first: number, end: number): Repair[] {
  const repairs: Repair[] = [];
  const add = (kind: RepairKind, at: number) => repairs.push({ kind, at, call: call.part.toolCallId });
  if (call.part.toolCallId !== id) add("renamed-call", first);
  if (closing !== undefined) add(closing.output.type === "execution-denied" ? "denied-call" : "unanswered-call", first);
  else if (call.answerMessage === first) add("inline-result", first);
  else if (call.answerMessage > end) add("late-result", call.answerMessage);
  for (const at of call.surplus ?? []) add("surplus-result", at);
  return repairs;
}

/** The first message behind calls that is no tool's; the last of the exchange where there is none between. */
function endOfResults({ end, scattered }: Exchange, first: number, history: History): number {
  const last = scattered?.at(-1) ?? end - 1;
  let at = first + 1;
  while (at < last && history.messageAt(at).role === "tool") at++;
  return at;
}
