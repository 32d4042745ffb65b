import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  openVarve,
  PROVIDERS,
  repair,
  toAnthropic,
  toGemini,
  toOpenAI,
  toOpenAIResponses,
  VarveError,
  violations,
} from "../src/index.js";
import type { Message } from "../src/message/types.js";
import { history, unusualHistory } from "./support/histories.js";
import { hostileMessages } from "./support/hostile-messages.js";
import { runs } from "./support/runs.js";

/**
 * The providers' rules once more, read off their wire formats and written without the library's own predicates: what
 * is sent is what counts.
 */
type Wire = Record<string, unknown>;
const json = (value: unknown): Wire[] => JSON.parse(JSON.stringify(value)) as Wire[];
const list = (value: unknown): Wire[] => (Array.isArray(value) ? (value as Wire[]) : []);
const twice = (ids: unknown[]): unknown[] => ids.filter((id, at) => ids.indexOf(id) !== at);
const sorted = (ids: unknown[]): string => JSON.stringify([...ids].sort());

function anthropicProblems(prompt: Wire): string[] {
  const problems: string[] = [];
  const messages = list(prompt.messages);
  const deep = (blocks: Wire[]): Wire[] => blocks.flatMap((block) => [block, ...deep(list(block.content))]);
  const contents = messages.map(({ content }) =>
    typeof content === "string" ? [{ type: "text", text: content }] : list(content),
  );
  const blocks = deep(contents.flat());
  messages.forEach((message, at) => {
    if (message.role !== (at % 2 === 0 ? "user" : "assistant")) problems.push(`${at}: role`);
    const content = contents[at]!;
    if (content.length === 0) problems.push(`${at}: empty`);
    const uses = at === 0 ? [] : contents[at - 1]!.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    const results = content.filter(({ type }) => type === "tool_result").map((block) => block.tool_use_id);
    if (message.role === "user" && sorted(uses) !== sorted(results)) problems.push(`${at}: pairs`);
    if (content.slice(0, results.length).some(({ type }) => results.length > 0 && type !== "tool_result"))
      problems.push(`${at}: results not first`);
    if (message.role === "assistant" && ["thinking", "redacted_thinking"].includes(String(content.at(-1)?.type)))
      problems.push(`${at}: ends in thinking`);
  });
  if (messages.length === 0) problems.push("none");
  const ending = messages.at(-1)?.role === "assistant" ? contents.at(-1)! : [];
  const last = ending.at(-1);
  if (last?.type === "text" && String(last.text) !== String(last.text).trimEnd()) problems.push("trailing space");
  if (ending.some(({ type }) => type === "tool_use")) problems.push("open call");
  const ids = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
  if (twice(ids).length > 0) problems.push("id twice");
  if (ids.some((id) => !/^[\w-]+$/.test(String(id)))) problems.push("id");
  for (const block of blocks) {
    if (block.type === "text" && String(block.text).trim() === "") problems.push("blank text");
    if (block.type === "tool_use" && !/^[a-zA-Z0-9_-]{1,128}$/.test(String(block.name))) problems.push("name");
    if (block.is_error === true && String(block.content ?? "").trim() === "") problems.push("empty error");
  }
  if (JSON.stringify(prompt).split('"cache_control":{').length > 5) problems.push("cache marks");
  const media = blocks.filter(({ type }) => type === "image" || type === "document");
  const images = media.filter(({ type }) => type === "image");
  if (media.length > 100) problems.push("media");
  for (const image of images) {
    const { data } = image.source as { data?: string };
    const head = Buffer.from((data ?? "").slice(0, 32), "base64");
    const pixels = head.length < 24 ? 0 : Math.max(head.readUInt32BE(16), head.readUInt32BE(20));
    if (pixels > (images.length > 20 ? 2000 : 8000)) problems.push(`${pixels} pixels of ${images.length}`);
    if ((data ?? "").length > 5_242_880) problems.push("bytes");
  }
  return problems;
}

function chatProblems(messages: Wire[]): string[] {
  const problems: string[] = [];
  let open: unknown[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id)) problems.push(`${at}: orphan`);
      open = open.filter((id) => id !== message.tool_call_id);
    } else {
      if (open.length > 0) problems.push(`${at}: open calls`);
      const calls = list(message.tool_calls);
      open = calls.map(({ id }) => id);
      if (twice(open).length > 0) problems.push(`${at}: id twice`);
      if (calls.length > 128) problems.push(`${at}: ${calls.length} calls`);
      if (calls.some(({ id }) => String(id).length > 40 || id === "")) problems.push(`${at}: id`);
      const names = calls.map((call) => (call.function as Wire).name);
      if (names.some((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(String(name)))) problems.push(`${at}: name`);
      const isSilent = String(message.content ?? "").trim() === "";
      if (message.role === "assistant" && isSilent && calls.length === 0) problems.push(`${at}: empty`);
      if (Array.isArray(message.content) && message.content.length === 0) problems.push(`${at}: empty list`);
    }
  }
  if (open.length > 0) problems.push("open at the end");
  if (messages.every(({ role }) => role === "system")) problems.push("none");
  if (messages.length > 2048) problems.push("messages");
  return problems;
}

function responsesProblems(items: Wire[]): string[] {
  const problems: string[] = [];
  const calls = items.filter(({ type }) => type === "function_call");
  const outputs = items.filter(({ type }) => type === "function_call_output");
  if (sorted(calls.map((call) => call.call_id)) !== sorted(outputs.map((output) => output.call_id)))
    problems.push("pairs");
  if (twice(calls.map((call) => call.call_id)).length > 0) problems.push("call id twice");
  if (calls.some((call) => String(call.call_id).length > 64 || call.call_id === "")) problems.push("call id");
  if (calls.some((call) => !/^[a-zA-Z0-9_-]{1,64}$/.test(String(call.name)))) problems.push("name");
  if (outputs.some(({ output }) => Array.isArray(output) && output.length === 0)) problems.push("empty output");
  if (twice(items.flatMap(({ id }) => (id === undefined ? [] : [id]))).length > 0) problems.push("item id twice");
  if (items.every(({ role }) => role === "system")) problems.push("none");
  items.forEach((item, at) => {
    const isCalled = items
      .slice(0, at)
      .some(({ type, call_id: id }) => type === "function_call" && id === item.call_id);
    if (item.type === "function_call_output" && !isCalled) problems.push(`${at}: output before its call`);
    const next = items[at + 1];
    const isLed = next?.type === "reasoning" || next?.type === "function_call" || next?.role === "assistant";
    if (item.type === "reasoning" && !isLed) problems.push(`${at}: reasoning alone`);
  });
  return problems;
}

function geminiProblems(prompt: Wire): string[] {
  const problems: string[] = [];
  const contents = list(prompt.contents);
  let called = 0;
  contents.forEach(({ role, parts }, at) => {
    const responses = list(parts).filter((part) => part.functionResponse !== undefined);
    const calls = list(parts).filter((part) => part.functionCall !== undefined);
    if (at === 0 && role !== "user") problems.push("model first");
    if (list(parts).length === 0) problems.push(`${at}: empty`);
    if (responses.length !== called) problems.push(`${at}: ${responses.length} responses to ${called} calls`);
    called = calls.length;
    for (const part of [...responses, ...calls]) {
      const { name } = (part.functionResponse ?? part.functionCall) as Wire;
      if (!/^[a-zA-Z_][\w.:-]{0,63}$/.test(String(name))) problems.push(`${at}: name ${String(name)}`);
    }
    if (list(parts).some((part) => part.text === "" && Object.keys(part).length === 1))
      problems.push(`${at}: empty text`);
  });
  if (contents.length === 0) problems.push("none");
  if (called > 0) problems.push("open at the end");
  return problems;
}

const problemsOf = (messages: readonly Message[]): Record<string, string[]> => ({
  anthropic: anthropicProblems(json(toAnthropic(messages)) as unknown as Wire),
  "openai-chat": chatProblems(json(toOpenAI(messages))),
  "openai-responses": responsesProblems(json(toOpenAIResponses(messages))),
  gemini: geminiProblems(json(toGemini(messages)) as unknown as Wire),
});
const NONE = { anthropic: [], "openai-chat": [], "openai-responses": [], gemini: [] };

async function viewMessages(messages: readonly Message[], window: number): Promise<Message[] | undefined> {
  const session = await (await openVarve()).session("s", { window });
  await session.append(messages);
  const view = await session.view().catch((error: unknown) => error as VarveError);
  if (view instanceof VarveError || view.messages.every((message) => message.role === "system")) return undefined;
  return view.messages;
}

const anyMessages = fc.oneof(history, unusualHistory, hostileMessages);

describe("messages as they are encoded", () => {
  it("are legal for every provider once a list is repaired", () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const repaired = repair(messages).messages;
        expect(problemsOf(repaired)).toEqual(NONE);
        for (const provider of PROVIDERS) expect([provider, violations(repaired, provider)]).toEqual([provider, []]);
      }),
      { numRuns: runs(400) },
    );
  });

  it("are legal for every provider in a view", () =>
    fc.assert(
      fc.asyncProperty(anyMessages, fc.integer({ min: 40, max: 30_000 }), async (messages, window) => {
        const shown = await viewMessages(messages, window);
        if (shown === undefined) return;
        expect(problemsOf(shown)).toEqual(NONE);
        for (const provider of PROVIDERS) expect([provider, violations(shown, provider)]).toEqual([provider, []]);
      }),
      { numRuns: runs(400) },
    ));

  it("break a rule of a provider just where these checks find something", () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const found = problemsOf(messages);
        for (const provider of PROVIDERS) {
          const rules = violations(messages, provider);
          expect([provider, rules.length > 0, found[provider]]).toEqual([
            provider,
            found[provider]!.length > 0,
            found[provider],
          ]);
        }
      }),
      { numRuns: runs(400) },
    );
  });
});
