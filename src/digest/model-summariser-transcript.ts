import { outputText } from "../message/content.js";
import { argumentsText } from "../message/tool-call.js";
import type { Message, Part, ToolResultPart } from "../message/types.js";
import { reduceObservation } from "../reduce/reduce-observation.js";
import type { TokenCounter } from "../tokens/counter.js";
import { ENTRY_MARK, encodeContent } from "./prompts.js";

/** One entry of the recording that a summariser reads. */
export interface TranscriptBlock {
  /** Who speaks: message number, role, tool and id. */
  readonly head: string;
  /** What is said, as it is: it is encoded where it is shown, so that a cut cannot bring a mark to light. */
  readonly body: string;
}

export interface TranscriptOptions {
  readonly counter: TokenCounter;
  /** Results of tools are shortened to so many tokens; without it they are read whole. */
  readonly maxResultTokens?: number;
}

export const renderBlock = ({ head, body }: TranscriptBlock): string => `${head}\n${encodeContent(body)}`;

/** The entries of a message; one for its words, one for each call and result. */
export function transcriptOf(message: Message, number: number, options: TranscriptOptions): TranscriptBlock[] {
  const block = (role: string, body: string): TranscriptBlock[] =>
    body.trim() === "" ? [] : [{ head: `${ENTRY_MARK}${number} ${role}`, body }];
  if (typeof message.content === "string") return block(message.role, message.content);
  return message.content.flatMap((part: Part): TranscriptBlock[] => {
    if (part.type === "text") return block(message.role, part.text);
    if (part.type === "reasoning") return block(`${message.role}, thinking`, part.text);
    if (part.type === "tool-call") return block(named("call", part), argumentsText(part));
    if (part.type === "tool-result") return block(named(`result${failure(part)}`, part), resultText(part, options));
    return block(message.role, described(part));
  });
}

const named = (what: string, part: { toolName: string; toolCallId: string }): string =>
  [what, plain(part.toolName), plain(part.toolCallId)].filter(Boolean).join(" ");

/** A name as it may stand in a head: one line, not long. */
const plain = (name: string): string => encodeContent(name.replaceAll(/\s+/g, " ").trim().slice(0, 80));

const failure = ({ output }: ToolResultPart): string =>
  output.type.startsWith("error") ? ", failed" : output.type === "execution-denied" ? ", denied" : "";

function resultText(part: ToolResultPart, { maxResultTokens, counter }: TranscriptOptions): string {
  const text = outputText(part.output) || "(no text)";
  if (maxResultTokens === undefined) return text;
  const hint = { toolName: part.toolName };
  return reduceObservation(text, { maxTokens: maxResultTokens, counter: (each) => counter.text(each), hint }).text;
}

/** What has no text is named. */
function described(part: Exclude<Part, { type: "text" | "reasoning" | "tool-call" | "tool-result" }>): string {
  if (part.type === "tool-approval-response")
    return `(call ${part.approved ? "approved" : "refused"}) ${part.reason ?? ""}`;
  if (part.type === "tool-approval-request") return "(asks to approve a call)";
  if (part.type === "custom") return `(${part.kind})`;
  const name = part.type === "file" && part.filename !== undefined ? ` ${part.filename}` : "";
  return `(${part.type}${name}${part.mediaType === undefined ? "" : `, ${part.mediaType}`})`;
}
