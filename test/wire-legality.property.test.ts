import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openVarve, toAnthropic, toGemini, toOpenAI, toOpenAIResponses, VarveError } from "../src/index.js";
import type { Message } from "../src/message/types.js";
import { history, unusualHistory } from "./support/histories.js";

/**
 * The providers' rules once more, read off their wire formats and written without the library's own predicates: what
 * is sent is what counts.
 */
async function viewMessages(messages: readonly Message[], window: number): Promise<Message[] | undefined> {
  const session = await (await openVarve()).session("s", { window });
  await session.append(messages);
  const view = await session.view().catch((error: unknown) => error as VarveError);
  if (view instanceof VarveError || view.messages.every((message) => message.role === "system")) return undefined;
  return view.messages;
}

type Block = { type: string; [key: string]: unknown };
const blocksOf = (content: unknown): Block[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : (content as Block[]);

const windows = fc.integer({ min: 40, max: 3_000 });
const everyView = (check: (messages: Message[]) => void) =>
  fc.assert(
    fc.asyncProperty(fc.oneof(history, unusualHistory), windows, async (messages, window) => {
      const shown = await viewMessages(messages, window);
      if (shown !== undefined) check(shown);
    }),
    { numRuns: 250 },
  );

describe("an encoded view", () => {
  it("has one OpenAI tool message for each call, right behind it", () =>
    everyView((messages) => {
      let open: string[] = [];
      for (const message of toOpenAI(messages) as {
        role: string;
        tool_call_id?: string;
        tool_calls?: { id: string }[];
        content?: unknown;
      }[]) {
        if (message.role === "tool") {
          expect(open).toContain(message.tool_call_id);
          open = open.filter((id) => id !== message.tool_call_id);
          continue;
        }
        expect(open).toEqual([]);
        open = (message.tool_calls ?? []).map((call) => call.id);
        expect(new Set(open).size).toBe(open.length);
        expect(
          open.length > 0 || (message.content !== null && message.content !== undefined && message.content !== ""),
        ).toBe(true);
      }
      expect(open).toEqual([]);
    }));

  it("alternates in Anthropic, the user first, results before text, no blank text", () =>
    everyView((messages) => {
      const wire = toAnthropic(messages).messages as { role: string; content: unknown }[];
      let uses: string[] = [];
      for (const [at, { role, content }] of wire.entries()) {
        expect(role).toBe(at % 2 === 0 ? "user" : "assistant");
        const blocks = blocksOf(content);
        expect(blocks.length).toBeGreaterThan(0);
        for (const block of blocks) if (block.type === "text") expect(String(block.text).trim()).not.toBe("");
        const results = blocks.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id as string] : []));
        expect([...results].sort()).toEqual([...uses].sort());
        expect(blocks.findLastIndex((block) => block.type === "tool_result")).toBe(results.length - 1);
        uses = blocks.flatMap((block) => (block.type === "tool_use" ? [block.id as string] : []));
      }
      expect(uses).toEqual([]);
    }));

  it("answers every Gemini function call in the very next content", () =>
    everyView((messages) => {
      const wire = toGemini(messages).contents as unknown as { role: string; parts: object[] }[];
      expect(wire[0]?.role).toBe("user");
      let called = 0;
      for (const { parts } of wire) {
        expect(parts.length).toBeGreaterThan(0);
        expect(parts.filter((part) => "functionResponse" in part)).toHaveLength(called);
        called = parts.filter((part) => "functionCall" in part).length;
      }
      expect(called).toBe(0);
    }));

  it("pairs every function call of the Responses format, under an id of its own, with one output", () =>
    everyView((messages) => {
      const items = toOpenAIResponses(messages) as { type?: string; call_id?: string }[];
      const ids = (type: string) => items.flatMap((item) => (item.type === type ? [item.call_id] : []));
      expect([...ids("function_call_output")].sort()).toEqual([...ids("function_call")].sort());
      expect(new Set(ids("function_call")).size).toBe(ids("function_call").length);
    }));
});
