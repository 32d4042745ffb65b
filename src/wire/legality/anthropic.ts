import { isObject, type UnknownFields } from "../../message/plain-value.js";
import { MOST_MARKS, markedIn, mayBeMarked } from "../anthropic-cache-marks.js";
import { imagesOf, refusedMedia } from "../anthropic-media.js";
import type { AnthropicPrompt } from "../anthropic-types.js";
import { type PairEvent, pairFaults } from "./pairing.js";
import type { Fault } from "./violation.js";

/**
 * What Anthropic's Messages refuse, in the words of the API where it has some for it:
 *
 * - `no-messages`: "messages: at least one message is required"
 * - `first-not-user`: "messages: first message must use the "user" role"
 * - `blank-message`: "all messages must have non-empty content"
 * - `blank-text`: "text content blocks must be non-empty", "… must contain non-whitespace text"
 * - `trailing-space`: "messages: final assistant content cannot end with trailing whitespace"
 * - `ends-in-thinking`: "The final block in an assistant message cannot be `thinking`."
 * - `empty-error`: "tool_result: content cannot be empty if `is_error` is true"
 * - `unanswered-call`, `orphan-result`: "`tool_use` ids were found without `tool_result` blocks immediately after",
 *   "unexpected `tool_use_id` found in `tool_result` blocks"
 * - `answered-twice`: "each tool_use must have a single result"; `duplicate-call-id`: "`tool_use` ids must be unique"
 * - `call-id`: "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"; `tool-name`: the same with
 *   '^[a-zA-Z0-9_-]{1,128}$'
 * - `system-place`: "role 'system' must follow a user message, and be last or followed by an assistant message"; never two
 *   in a row, never first
 * - `cache-marks`: "A maximum of 4 blocks with cache_control may be provided."; none on thinking, and "cache_control cannot
 *   be set for empty text blocks"
 * - `media`: what `anthropic-media.ts` says of images and documents
 */
export function anthropicFaults({ system, messages }: AnthropicPrompt): Fault[] {
  const [first] = messages;
  const blocks = messages.flatMap((message) => blocksOf(message.content));
  const calls = blocks.filter(({ type }) => type === "tool_use");
  return [
    ...(first === undefined ? [{ rule: "no-messages", at: [] }] : []),
    ...(first?.role === "assistant" ? [{ rule: "first-not-user", at: around(first) }] : []),
    ...messages.flatMap((message, at) =>
      isPlaced(messages, at) ? [] : [{ rule: "system-place", at: around(message) }],
    ),
    ...messages.flatMap(contentFaults),
    ...(isBlank(system) || blocksOf(system).some(isBlankText) ? [{ rule: "blank-text", at: [] }] : []),
    ...endFaults(messages.at(-1)),
    ...pairFaults(messages.flatMap(events)),
    ...repeated(calls),
    ...calls.filter(({ id }) => !matches(id, /^[a-zA-Z0-9_-]*$/)).map((at) => ({ rule: "call-id", at: [at] })),
    ...calls
      .filter(({ name }) => !matches(name, /^[a-zA-Z0-9_-]{1,128}$/))
      .map((at) => ({ rule: "tool-name", at: [at] })),
    ...serverOrphans(blocks),
    ...markedIn([...blocksOf(system), ...blocks])
      .filter((block, place) => place >= MOST_MARKS || !mayBeMarked(block as UnknownFields))
      .map((at) => ({ rule: "cache-marks", at: [at] })),
    ...refusedMedia(imagesOf(messages)).map(({ block, holder }) => ({ rule: "media", at: [block, holder] })),
  ];
}

type Message = AnthropicPrompt["messages"][number];

/** The roles of the SDK's types leave it out; the API takes it. */
const roleOf = (message: Message | undefined): string | undefined => message?.role;

function isPlaced(messages: readonly Message[], at: number): boolean {
  if (roleOf(messages[at]) !== "system") return true;
  return roleOf(messages[at - 1]) === "user" && ["assistant", undefined].includes(roleOf(messages[at + 1]));
}

const blocksOf = (content: unknown): UnknownFields[] => (Array.isArray(content) ? content.filter(isObject) : []);
const around = (message: Message): unknown[] => [message, ...blocksOf(message.content)];
const isBlank = (text: unknown): boolean => typeof text === "string" && text.trim() === "";
const isBlankText = ({ type, text }: UnknownFields): boolean => type === "text" && isBlank(text);
const matches = (text: unknown, pattern: RegExp): boolean => typeof text === "string" && pattern.test(text);

function contentFaults(message: Message): Fault[] {
  const { role, content } = message;
  const blocks = blocksOf(content);
  const faults: Fault[] = [];
  if (isBlank(content) || content.length === 0) faults.push({ rule: "blank-message", at: around(message) });
  for (const block of blocks) {
    const inner = blocksOf(block.type === "tool_result" ? block.content : undefined);
    if (isBlankText(block) || inner.some(isBlankText))
      faults.push({ rule: "blank-text", at: [block, ...around(message)] });
    if (isEmptyError(block)) faults.push({ rule: "empty-error", at: [block, ...around(message)] });
  }
  const last = blocks.at(-1);
  if (role === "assistant" && last !== undefined && /thinking$/.test(String(last.type)))
    faults.push({ rule: "ends-in-thinking", at: [last, ...around(message)] });
  return faults;
}

const isEmptyError = ({ type, is_error, content }: UnknownFields): boolean =>
  type === "tool_result" &&
  is_error === true &&
  (content === undefined || content === null || isBlank(content) || (Array.isArray(content) && content.length === 0));

function endFaults(message: Message | undefined): Fault[] {
  if (message?.role !== "assistant") return [];
  const last = blocksOf(message.content).at(-1);
  const text = typeof message.content === "string" ? message.content : last?.type === "text" ? last.text : "";
  return /\s$/.test(String(text)) ? [{ rule: "trailing-space", at: [last, ...around(message)] }] : [];
}

/** Results stand in front of all else in the message right behind their calls. */
function events(message: Message): PairEvent[] {
  const blocks = blocksOf(message.content);
  const at = (block: UnknownFields) => [block, ...around(message)];
  const calls = blocks.filter(({ type }) => type === "tool_use");
  if (message.role === "assistant")
    return ["settle", ...calls.map((block) => ({ call: String(block.id), at: at(block) }))];
  const end = blocks.findIndex(({ type }) => type !== "tool_result");
  const results = blocks.map((block, place): PairEvent[] => [
    ...(place === end ? (["settle"] as const) : []),
    ...(block.type === "tool_result" ? [{ result: String(block.tool_use_id), at: at(block) }] : []),
  ]);
  return [...results.flat(), "settle"];
}

function repeated(calls: readonly UnknownFields[]): Fault[] {
  const known = new Set<unknown>();
  return calls
    .filter(({ id }) => known.size === known.add(id).size)
    .map((at) => ({ rule: "duplicate-call-id", at: [at] }));
}

/** Results of tools that Anthropic runs itself stand behind their calls. */
function serverOrphans(blocks: readonly UnknownFields[]): Fault[] {
  const called = new Set<unknown>();
  return blocks.flatMap((block) => {
    if (/^(?:server|mcp)_tool_use$/.test(String(block.type))) called.add(block.id);
    const isAnswer = block.type !== "tool_result" && /_tool_result$/.test(String(block.type));
    return isAnswer && !called.has(block.tool_use_id) ? [{ rule: "orphan-result", at: [block] }] : [];
  });
}
