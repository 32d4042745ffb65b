import { fromAnthropic } from "../anthropic.js";
import { answerId, type ClaudeLine, resultIds } from "./claude-code-lines.js";
import { ConversationBuilder } from "./conversation-builder.js";
import { isObject, listField, type WireObject } from "./fields.js";
import type { Notes } from "./notes.js";
import { anthropicUsage } from "./usage.js";

/** An answer as far as its lines have come, and the results that stand among them. */
interface Answer {
  readonly id: string | undefined;
  readonly time: number | undefined;
  readonly blocks: unknown[];
  readonly calls: Set<unknown>;
  readonly results: unknown[];
  resultTime: number | undefined;
  usage: unknown;
}

/** Puts the lines of one branch together: one message for each answer, one for all results of its calls. */
export function claudeMessages(lines: readonly ClaudeLine[], notes: Notes): ConversationBuilder {
  const builder = new ConversationBuilder(notes);
  let answer: Answer | undefined;
  for (const line of lines) {
    const { message } = line;
    if (message === undefined) continue;
    if (message.role === "assistant") answer = nextAnswer(line, message, flushUnless(answer, line, builder));
    else if (answer !== undefined && isResults(line)) addResults(answer, line);
    else {
      flush(answer, builder);
      answer = undefined;
      addUser(line, message, builder);
    }
  }
  flush(answer, builder);
  return builder;
}

/** The answer, if the line is one more of its blocks; else it is done. */
function flushUnless(answer: Answer | undefined, line: ClaudeLine, builder: ConversationBuilder): Answer | undefined {
  if (answer?.id !== undefined && answer.id === answerId(line)) return answer;
  flush(answer, builder);
  return undefined;
}

function nextAnswer(line: ClaudeLine, message: WireObject, open: Answer | undefined): Answer {
  const answer = open ?? newAnswer(line);
  for (const block of blocksOf(message.content)) {
    const call = isObject(block) && block.type === "tool_use" ? block.id : undefined;
    if (call !== undefined && answer.calls.has(call)) continue;
    if (call !== undefined) answer.calls.add(call);
    answer.blocks.push(block);
  }
  answer.usage = message.usage ?? answer.usage;
  return answer;
}

const newAnswer = (line: ClaudeLine): Answer => ({
  id: answerId(line),
  time: line.time,
  blocks: [],
  calls: new Set(),
  results: [],
  resultTime: undefined,
  usage: undefined,
});

const blocksOf = (content: unknown): readonly unknown[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : listField(content);

const isResults = (line: ClaudeLine): boolean => {
  const { length } = listField(line.message?.content);
  return length > 0 && resultIds(line).length === length;
};

function addResults(answer: Answer, line: ClaudeLine): void {
  answer.resultTime ??= line.time;
  answer.results.push(...listField(line.message?.content));
}

function flush(answer: Answer | undefined, builder: ConversationBuilder): void {
  if (answer === undefined) return;
  const { blocks, results } = answer;
  if (blocks.length > 0) {
    builder.attempt(() => fromAnthropic([{ role: "assistant", content: blocks }]), answer.time);
    builder.addUsage(anthropicUsage(answer.usage));
  }
  if (results.length > 0) builder.attempt(() => fromAnthropic([{ role: "user", content: results }]), answer.resultTime);
}

function addUser(line: ClaudeLine, message: WireObject, builder: ConversationBuilder): void {
  builder.attempt(() => fromAnthropic([{ role: "user", content: message.content }]), line.time);
  if (line.summary) builder.markCompaction();
}
