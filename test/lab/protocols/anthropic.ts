import { createHash } from "node:crypto";
import { anthropicBreaches } from "../../fuzz/rules/anthropic.js";
import { Breaches, type Item, isItem, itemsOf, textOf } from "../../fuzz/rules/request.js";
import {
  type Answer,
  event,
  halves,
  type Piece,
  type Protocol,
  type Request,
  toolPiece,
  written,
} from "../protocol.js";
import type { Saying } from "../script.js";

const hash = (...texts: readonly string[]): string => createHash("sha256").update(texts.join("\n")).digest("base64");

const blocksOf = (content: unknown): readonly Item[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : itemsOf(content);

const isThinking = ({ type }: Item): boolean => type === "thinking" || type === "redacted_thinking";

/**
 * Claude with extended thinking. A newer model signs its thinking together with all that stands before it; an older one
 * signs the thinking alone, and wants a running turn to begin with it.
 */
export function anthropicProtocol(thinking: "bound" | "opens-turn"): Protocol {
  const isBound = thinking === "bound";
  const signature = (thought: string, before: string): string =>
    `Eq${hash(thought, isBound ? before : "")}`.padEnd(300, "A");
  return {
    pieces,
    breaches: ({ body }) => {
      const breaches = new Breaches();
      const { thoughts } = chainOf(body);
      for (const { block, at, before } of thoughts) {
        const isKnown = block.signature === signature(textOf(block.thinking), before);
        // "Invalid `signature` in `thinking` block", and of newer models also where what stands before has changed.
        breaches.demand(isKnown, "thinking-signature", [at, block]);
      }
      if (!isBound && isItem(body.thinking) && body.thinking.type !== "disabled") checkTurn(body, breaches);
      return [...anthropicBreaches(body), ...breaches.found];
    },
    isStreamed: ({ body }) => body.stream === true,
    answer: (request, saying, step) => {
      const thought = thinks(request, isBound, step)
        ? [
            {
              type: "thinking",
              thinking: saying.thought,
              signature: signature(saying.thought, chainOf(request.body).end),
            },
          ]
        : [];
      return answerOf([...thought, ...saidBlocks(saying)], step);
    },
  };
}

interface Thought {
  readonly block: Item;
  readonly at: string;
  readonly before: string;
}

/** All thinking of a request with the hash of what stands before it, and the hash under which the answer will stand. */
function chainOf({ system, tools, messages }: Item): { readonly thoughts: readonly Thought[]; readonly end: string } {
  const thoughts: Thought[] = [];
  let before = hash(written(blocksOf(system ?? [])), written(tools));
  let speaker: unknown;
  for (const [at, { role, content }] of itemsOf(messages).entries()) {
    if (role !== speaker) before = hash(before, textOf(role));
    speaker = role;
    for (const [index, block] of blocksOf(content).entries()) {
      if (isThinking(block)) thoughts.push({ block, at: `messages.${at}.${index}`, before });
      before = hash(
        before,
        written(block.type === "tool_result" ? { ...block, content: blocksOf(block.content) } : block),
      );
    }
  }
  return { thoughts, end: speaker === "assistant" ? before : hash(before, "assistant") };
}

const isResults = ({ content }: Item): boolean => blocksOf(content).every(({ type }) => type === "tool_result");

/** The messages since the user last spoke. */
function runningTurn(body: Item): readonly Item[] {
  const messages = itemsOf(body.messages);
  return messages.slice(1 + messages.findLastIndex((message) => message.role === "user" && !isResults(message)));
}

/**
 * "Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant`
 * message must start with a thinking block": docs, Extended thinking; of a turn with tools its first message.
 */
function checkTurn(body: Item, breaches: Breaches): void {
  const opener = runningTurn(body).find(({ role }) => role === "assistant");
  const first = opener && blocksOf(opener.content)[0];
  breaches.demand(first === undefined || isThinking(first), "turn-without-thinking", ["messages", opener]);
}

/** Claude thinks where a turn begins, and interleaved after results as well; newer models now and then do not. */
function thinks({ headers, body }: Request, isBound: boolean, step: number): boolean {
  if (runningTurn(body).length === 0) return true;
  const isInterleaved = textOf(headers["anthropic-beta"]).includes("interleaved-thinking");
  return isInterleaved && !(isBound && step % 4 === 3);
}

const saidBlocks = ({ text, calls }: Saying): Item[] => [
  ...(text === "" ? [] : [{ type: "text", text }]),
  ...calls.map(({ id, name, input }) => ({ type: "tool_use", id: `toolu_${id}`, name, input })),
];

function pieces({ system, tools, messages }: Item): Piece[] {
  const declared = itemsOf(tools).map((tool) => toolPiece(tool, tool.input_schema));
  const prompt = blocksOf(system ?? []);
  return [
    ...declared,
    { written: written(prompt), texts: prompt.map(({ text }) => textOf(text)), messages: 1, calls: 0 },
    ...itemsOf(messages).map(pieceOf),
  ];
}

function pieceOf(message: Item): Piece {
  const blocks = blocksOf(message.content);
  const results = blocks.filter(({ type }) => type === "tool_result").length;
  return {
    written: written(message),
    texts: blocks.flatMap(textsOf),
    messages: Math.max(1, results),
    calls: blocks.filter(({ type }) => type === "tool_use").length,
  };
}

function textsOf(block: Item): string[] {
  if (block.type === "tool_use") return [textOf(block.name), JSON.stringify(block.input)];
  if (block.type === "tool_result") return blocksOf(block.content ?? []).flatMap(textsOf);
  return [textOf(block.text), textOf(block.thinking)];
}

function answerOf(content: readonly Item[], step: number): Answer {
  const usage = { input_tokens: 9, output_tokens: 7, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const message = {
    id: `msg_${step}`,
    type: "message",
    role: "assistant",
    model: "claude",
    stop_sequence: null,
    usage,
  };
  const stop_reason = content.at(-1)?.type === "tool_use" ? "tool_use" : "end_turn";
  const named = (data: { type: string; [field: string]: unknown }): string => event(data, data.type);
  const events = [
    named({ type: "message_start", message: { ...message, content: [], stop_reason: null } }),
    ...content.flatMap((block, index) => [
      named({ type: "content_block_start", index, content_block: emptied(block) }),
      ...deltasOf(block).map((delta) => named({ type: "content_block_delta", index, delta })),
      named({ type: "content_block_stop", index }),
    ]),
    named({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 7 } }),
    named({ type: "message_stop" }),
  ];
  return { whole: { ...message, content, stop_reason }, events };
}

function emptied(block: Item): Item {
  if (block.type === "tool_use") return { ...block, input: {} };
  return block.type === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "", signature: "" };
}

function deltasOf(block: Item): Item[] {
  if (block.type === "tool_use")
    return halves(JSON.stringify(block.input)).map((partial_json) => ({ type: "input_json_delta", partial_json }));
  if (block.type === "text") return halves(textOf(block.text)).map((text) => ({ type: "text_delta", text }));
  return [
    ...halves(textOf(block.thinking)).map((thinking) => ({ type: "thinking_delta", thinking })),
    { type: "signature_delta", signature: block.signature },
  ];
}
