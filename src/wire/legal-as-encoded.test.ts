import { describe, expect, test } from "vitest";
import { call, calls, result, says, user } from "../../test/support/build.js";
import { png } from "../../test/support/hostile-messages.js";
import type { AssistantPart, Message, ToolOutput } from "../message/types.js";
import { fromAnthropic, toAnthropic } from "./anthropic.js";
import { toGemini } from "./gemini.js";
import { fromOpenAI, toOpenAI } from "./openai-chat.js";
import { toOpenAIResponses } from "./openai-responses.js";

const spoken = (...content: AssistantPart[]): Message => ({ role: "assistant", content });
const text = (words: string): AssistantPart => ({ type: "text", text: words });
const thought: AssistantPart = { type: "reasoning", text: "hm", providerOptions: { anthropic: { signature: "s" } } };
const answered = (output: ToolOutput, more?: object): Message => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "a", toolName: "read", output, ...more }],
});
const blocks = (messages: Message[], at: number) => toAnthropic(messages).messages[at]?.content as { type: string }[];

describe("Anthropic", () => {
  test.each<[string, Message]>([
    ["text", answered({ type: "error-text", value: "" })],
    [
      "a list",
      answered({ type: "content", value: [] }, { providerOptions: { varve: { anthropic: { is_error: true } } } }),
    ],
  ])("a failed call that says nothing as %s is said to have failed", (_form, failed) => {
    expect(blocks([user("go"), calls("a"), failed], 2)).toEqual([
      { type: "tool_result", tool_use_id: "a", content: "[The call failed and said nothing.]", is_error: true },
    ]);
  });

  test("a failed call without content of its own format is said to have failed", () => {
    const wire = [
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", is_error: true }] },
    ];
    expect(blocks(fromAnthropic(wire), 2)).toMatchObject([{ content: expect.stringContaining("failed") }]);
  });

  test("a message does not end in thinking, and one of nothing else is left out", () => {
    expect(blocks([user("go"), spoken(thought, text("So."), thought, text(" "))], 1)).toEqual([
      { type: "thinking", thinking: "hm", signature: "s" },
      { type: "text", text: "So." },
    ]);
    const { messages } = toAnthropic([user("go"), spoken(thought, text(" ")), user("on")]);
    expect(messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "go" },
          { type: "text", text: "on" },
        ],
      },
    ]);
  });

  test("white space ends no last message of the assistant, and stays in any other", () => {
    const { messages } = toAnthropic([user("go"), says("one \n"), user("on"), spoken(text("two"), text("three\t\n"))]);
    expect(messages[1]).toEqual({ role: "assistant", content: "one \n" });
    expect(messages[3]?.content).toEqual([
      { type: "text", text: "two" },
      { type: "text", text: "three" },
    ]);
  });

  const shown = (pictures: string[]): Message => ({
    role: "user",
    content: pictures.map((image) => ({ type: "image", image, mediaType: "image/png" })),
  });
  const places = (pictures: string[]) => blocks([shown(pictures)], 0).map(({ type }) => type);
  const imagesIn = (pictures: string[]) => places(pictures).filter((type) => type === "image").length;
  const fill = (count: number, picture: string) => Array.from({ length: count }, () => picture);

  test("a picture that is too large is said in words, in bytes or in pixels", () => {
    const tooManyBytes = png(9, 9, 3_932_163);
    expect(tooManyBytes.length).toBeGreaterThan(5_242_880);
    expect(places([png(8001, 9), png(8000, 9), tooManyBytes])).toEqual(["text", "image", "text"]);
  });

  test("of more pictures than a request may have the oldest are said in words, many at once", () => {
    const pictures = fill(101, png(9, 9));
    expect(places(pictures).slice(0, 22)).toEqual([...fill(20, "text"), "image", "image"]);
    expect(imagesIn(fill(100, png(9, 9)))).toBe(100);
    for (const count of [105, 120]) expect(places(fill(count, png(9, 9))).indexOf("image")).toBe(20);
  });

  test("among more than twenty pictures none is wider than 2,000 pixels: old ones go, or all but the latest", () => {
    const [wide, narrow] = [png(3000, 9), png(9, 9)];
    expect(imagesIn(fill(20, wide))).toBe(20);
    expect(places([wide, ...fill(20, narrow)])).toEqual(["text", ...fill(20, "image")]);
    expect(places([...fill(20, narrow), wide])).toEqual([...fill(4, "text"), ...fill(17, "image")]);
  });
});

describe("Responses", () => {
  const item = (itemId: string): AssistantPart => ({
    type: "reasoning",
    text: "",
    providerOptions: { openai: { itemId } },
  });

  test("reasoning that leads to nothing is left out", () => {
    const items = toOpenAIResponses([user("go"), spoken(item("rs_1"), text("So."), item("rs_2")), user("on")]);
    expect(items.map((each) => ("type" in each ? each.type : each.role))).toEqual([
      "user",
      "reasoning",
      "assistant",
      "user",
    ]);
    expect(toOpenAIResponses([user("go"), spoken(item("rs_1")), user("on")])).toHaveLength(2);
  });

  test("an id that another item has is not sent: reasoning goes, words and calls stay without", () => {
    const named = (part: AssistantPart) =>
      ({ ...part, providerOptions: { openai: { itemId: "x_1" } } }) as AssistantPart;
    const turn = [spoken(named(text("Hm.")), named(call("a"))), result("a")];
    const items = toOpenAIResponses([
      user("go"),
      ...turn,
      spoken(named(text("Hm."))),
      spoken(item("x_1"), text("So.")),
    ]);
    expect(JSON.stringify(items).split('"x_1"')).toHaveLength(2);
    expect(items).toHaveLength(6);
  });

  test("an empty list of a tool's output is an empty text", () => {
    expect(toOpenAIResponses([user("go"), calls("a"), answered({ type: "content", value: [] })]).at(-1)).toEqual({
      type: "function_call_output",
      call_id: "a",
      output: "",
    });
  });
});

describe("Chat Completions", () => {
  const ids = Array.from({ length: 300 }, (_, at) => `c${at}`);

  test("more calls than a message may have are several messages, each with the results of its own", () => {
    const wire = toOpenAI([
      user("go"),
      calls(...ids),
      ...[...ids].reverse().map((id) => result(id, `r ${id}`)),
      says("done"),
    ]);
    const sizes = wire.flatMap((message) =>
      message.role === "assistant" && message.tool_calls ? [message.tool_calls.length] : [],
    );
    expect(sizes).toEqual([128, 128, 44]);
    expect(wire).toHaveLength(2 + 3 + 300);
    let open = new Set<string>();
    for (const message of wire) {
      if (message.role === "tool") expect(open.delete(message.tool_call_id)).toBe(true);
      else expect(open.size).toBe(0);
      if (message.role === "assistant") open = new Set((message.tool_calls ?? []).map(({ id }) => id));
    }
    expect(wire.at(-1)).toEqual({ role: "assistant", content: "done" });
  });

  test("an assistant that says and calls nothing is left out", () => {
    const executed: AssistantPart = { ...call("a"), providerExecuted: true };
    const silent = [spoken(executed), says(""), spoken(thought)];
    for (const message of silent) expect(toOpenAI([user("go"), message, user("on")])).toHaveLength(2);
    expect(toOpenAI(fromOpenAI([{ role: "assistant", content: null, tool_calls: [] }]))).toEqual([]);
    const refused = [{ role: "assistant", content: null, refusal: "No." }];
    expect(toOpenAI(fromOpenAI(refused))).toEqual(refused);
  });
});

describe("Gemini", () => {
  test("a name begins with a letter or _, and is the same in the response", () => {
    const content = [{ ...call("a"), toolName: "7zip" }];
    const [, asked, told] = toGemini([user("go"), { role: "assistant", content }, result("a")]).contents;
    expect(asked?.parts).toMatchObject([{ functionCall: { name: "_7zip" } }]);
    expect(told?.parts).toMatchObject([{ functionResponse: { name: "_7zip" } }]);
  });
});
