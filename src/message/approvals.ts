/**
 * Requests for approval and their answers. The AI SDK runs what was approved when it meets the answer in the last
 * message, and writes the result of what was denied there itself; every provider's own format wants a result at once.
 */
import { callsOf, outputText } from "./content.js";
import type {
  Message,
  Part,
  ToolApprovalRequest,
  ToolApprovalResponse,
  ToolCallPart,
  ToolMessage,
  ToolOutput,
  ToolResultPart,
} from "./types.js";

/** What a provider reads where an approved call has no result yet. */
const NOT_RUN = "[The call was approved and has not run yet.]";

/** The answers to requests for approval, by the id of the call that they are about. */
type Approvals = ReadonlyMap<string, ToolApprovalResponse>;

const NONE: Approvals = new Map();

/** The answers in tool messages to what an assistant message asked. */
export function approvalsOf(asking: Message | undefined, answering: readonly Message[]): Approvals {
  const requests = asking === undefined ? NO_REQUESTS : requestsIn(asking);
  if (requests.length === 0) return NONE;
  const responses = new Map(answering.flatMap(responsesIn).map((part) => [part.approvalId, part]));
  const approvals = new Map<string, ToolApprovalResponse>();
  for (const { approvalId, toolCallId } of requests) {
    const response = responses.get(approvalId);
    if (response !== undefined) approvals.set(toolCallId, response);
  }
  return approvals;
}

const NO_REQUESTS: readonly ToolApprovalRequest[] = [];

/** The requests for approval in a message. */
export function requestsIn({ role, content }: Message): readonly ToolApprovalRequest[] {
  return role !== "assistant" || typeof content === "string" ? NO_REQUESTS : content.filter(isRequest);
}

const isRequest = (part: Part): part is ToolApprovalRequest => part.type === "tool-approval-request";

const asksApproval = ({ role, content }: Message): boolean =>
  role === "assistant" && typeof content !== "string" && content.some(isRequest);

/** The answers to requests for approval in a message. */
export function responsesIn(message: Message): ToolApprovalResponse[] {
  return message.role === "tool" ? message.content.filter((part) => part.type === "tool-approval-response") : [];
}

export const deniedResult = (
  { toolCallId, toolName }: ToolCallPart,
  response: ToolApprovalResponse,
): ToolResultPart => ({ type: "tool-result", toolCallId, toolName, output: deniedOutput(response) });

const deniedOutput = ({ reason }: ToolApprovalResponse): ToolOutput => ({
  type: "execution-denied",
  ...(reason !== undefined && { reason }),
});

const notRunResult = ({ toolCallId, toolName }: ToolCallPart): ToolResultPart => ({
  type: "tool-result",
  toolCallId,
  toolName,
  output: { type: "error-text", value: NOT_RUN },
});

/** What a provider reads at most of an answer: the result that is written where the call has none. */
export const answerText = (response: ToolApprovalResponse): string =>
  response.approved ? NOT_RUN : outputText(deniedOutput(response));

/**
 * The messages with a result for every call that was approved or denied and has none; the very list where there is no
 * such call. For formats that know no approvals.
 */
export function answerApprovals(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(asksApproval)) return messages;
  const answered: Message[] = [];
  let asking = -1;
  for (const [at, message] of messages.entries()) {
    if (message.role !== "tool" && asking >= 0)
      answered.push(...missingResults(messages[asking]!, messages.slice(asking + 1, at)));
    if (message.role !== "tool") asking = asksApproval(message) ? at : -1;
    answered.push(message);
  }
  if (asking >= 0) answered.push(...missingResults(messages[asking]!, messages.slice(asking + 1)));
  return answered;
}

function missingResults(asking: Message, answering: readonly Message[]): ToolMessage[] {
  const approvals = approvalsOf(asking, answering);
  if (approvals.size === 0) return [];
  const known = new Set(answering.flatMap(answeredIn));
  const content = callsOf(asking).flatMap((call) => {
    const response = approvals.get(call.toolCallId);
    if (response === undefined || known.has(call.toolCallId)) return [];
    return [response.approved ? notRunResult(call) : deniedResult(call, response)];
  });
  return content.length === 0 ? [] : [{ role: "tool", content }];
}

const answeredIn = (message: Message): string[] =>
  message.role === "tool"
    ? message.content.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : []))
    : [];
