import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { call, calls, result, user } from "../../test/support/build.js";
import { repair } from "../message/repair.js";
import type { Message } from "../message/types.js";
import { fromAnthropic } from "./anthropic.js";
import { fromOpenAI, toOpenAI } from "./openai-chat.js";
import { fromOpenAIResponses, toOpenAIResponses } from "./openai-responses.js";

const LONG = "toolu_".padEnd(80, "x");

interface Item {
  type?: string;
  call_id?: string;
  name?: string;
  output?: unknown;
}
const itemsOf = (messages: readonly Message[], type: string) =>
  (toOpenAIResponses(messages) as Item[]).filter((item) => item.type === type);
const idsOf = (messages: readonly Message[], type: string) => itemsOf(messages, type).map((item) => item.call_id);

describe("ids of calls in Responses", () => {
  const reused = fromOpenAI(
    ["r1", "r2"].flatMap((content) => [
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_0", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "call_0", content },
    ]),
  );

  test("used again get a number, and their outputs with them", () => {
    expect(idsOf(reused, "function_call")).toEqual(["call_0", "call_0_2"]);
    expect(itemsOf(reused, "function_call_output")).toMatchObject([
      { call_id: "call_0", output: "r1" },
      { call_id: "call_0_2", output: "r2" },
    ]);
  });

  test("of one message that share an id are answered in their order", () => {
    const messages = [user("go"), calls("x", "x"), result("x", "1"), result("x", "2")];
    expect(idsOf(messages, "function_call_output")).toEqual(["x", "x_2"]);
  });

  test("keep out of the way of ids that look like renamed ones", () => {
    const messages = [calls("x"), result("x"), calls("x", "x_2"), result("x_2"), result("x")];
    expect(idsOf(messages, "function_call")).toEqual(["x", "x_2", "x_2_2"]);
    expect(idsOf(messages, "function_call_output")).toEqual(["x", "x_2_2", "x_2"]);
  });

  test("that came from Responses stay, also beside a call without one", () => {
    const items = [
      { type: "function_call", name: "f", arguments: "{}" },
      { type: "function_call", call_id: "call_0", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "call_0", output: "1" },
    ];
    expect(toOpenAIResponses(fromOpenAIResponses(items))).toEqual(items);
  });

  const turns = fc.array(fc.uniqueArray(fc.constantFrom("a", "a_2", "b", `${LONG}1`, `${LONG}2`), { minLength: 1 }));
  const conversation = turns.map((ids) =>
    ids.flatMap((batch) => [user("go"), calls(...batch), ...batch.map((id) => result(id))]),
  );

  test("are never there twice nor too long, and each has its output", () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const written = idsOf(messages, "function_call");
        expect(new Set(written).size).toBe(written.length);
        expect(written.every((id) => id!.length <= 64)).toBe(true);
        expect(idsOf(messages, "function_call_output")).toEqual(written);
      }),
    );
  });

  test("do not change when the conversation goes on", () => {
    fc.assert(
      fc.property(conversation, fc.nat(), (messages, length) => {
        const start = idsOf(messages.slice(0, length), "function_call");
        expect(idsOf(messages, "function_call").slice(0, start.length)).toEqual(start);
      }),
    );
  });

  test("are given in linear time", () => {
    const many = Array.from({ length: 20_000 }, () => [calls(LONG), result(LONG)]).flat();
    expect(new Set(idsOf(many, "function_call")).size).toBe(20_000);
  }, 2_000);
});

describe("ids that are too long for Chat", () => {
  const written = (messages: readonly Message[]) =>
    toOpenAI(messages).flatMap((message) => {
      if (message.role === "tool") return [`= ${message.tool_call_id}`];
      return message.role === "assistant" ? (message.tool_calls ?? []).map(({ id }) => id) : [];
    });

  const head = LONG.slice(0, 31);

  test("are cut, stay apart, and are those of their results", () => {
    const messages = [calls(`${LONG}1`, `${LONG}2`, head), result(`${LONG}2`), result(head), result(`${LONG}1`)];
    const [first, second, third, ...results] = written(messages);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(results).toEqual([`= ${second}`, `= ${head}`, `= ${first}`]);
    for (const id of [first, second]) expect(id).toMatch(new RegExp(`^${head}_[0-9a-f]{8}$`));
  });

  test("of 40 characters stay, also in an output without its call", () => {
    expect(written([result(LONG.slice(0, 40))])).toEqual([`= ${LONG.slice(0, 40)}`]);
    expect(written([result(LONG.slice(0, 41))])).toEqual([expect.stringMatching(/^= .{40}$/)]);
  });

  test("are written the same whatever stands around them", () => {
    const [alone] = written([calls(LONG)]);
    expect(written([calls("a", alone!), result("a"), calls(LONG), result(LONG)])).toContain(`= ${alone}`);
  });

  test("are those of results that a repair adds, be they from a server that gave them", () => {
    const wire = [
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: LONG, type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "user", content: "on" },
    ];
    const [id] = written([calls(LONG)]);
    expect(written(repair(fromOpenAI(wire)).messages)).toEqual([id, `= ${id}`]);
  });

  test("may stand in several turns", () => {
    const turn = [user("go"), calls("a"), result("a")];
    expect(written([...turn, ...turn])).toEqual(["a", "= a", "a", "= a"]);
  });
});

describe("names that OpenAI refuses", () => {
  const called = (...names: string[]): Message[] => [
    user("go"),
    { role: "assistant", content: names.map((toolName, at) => ({ ...call(`c${at}`), toolName })) },
    ...names.map((_, at) => result(`c${at}`)),
  ];
  const chatNames = (messages: readonly Message[]) =>
    toOpenAI(messages).flatMap((message) =>
      message.role === "assistant"
        ? (message.tool_calls ?? []).map((item) => "function" in item && item.function.name)
        : [],
    );
  const responsesNames = (messages: readonly Message[]) => itemsOf(messages, "function_call").map(({ name }) => name);

  test.each([
    ["Chat", chatNames],
    ["Responses", responsesNames],
  ])("are mended for %s and stay apart", (_format, names) => {
    expect(names(called("fs.read", "fs_read", "fs/read", "fs.read"))).toEqual([
      "fs_read_2",
      "fs_read",
      "fs_read_3",
      "fs_read_2",
    ]);
    const long = `mcp__${"a".repeat(80)}`;
    expect(names(called(`${long}1`, `${long}2`))).toEqual([long.slice(0, 64), `${long.slice(0, 62)}_2`]);
  });

  test("are mended where they came from another format", () => {
    const messages = fromAnthropic([
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "b".repeat(100), input: {} }] },
    ]);
    expect(chatNames(messages)).toEqual(["b".repeat(64)]);
  });
});

test.each([
  [
    "Chat",
    [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "a", type: "function", function: { name: "fs.read", arguments: "{}" } }],
      },
    ],
  ],
  ["Responses", [{ type: "function_call", call_id: "a", name: "fs.read", arguments: "{}" }]],
])("a name that OpenAI refuses is mended where it came in %s too", (format, wire) => {
  const messages = format === "Chat" ? fromOpenAI(wire) : fromOpenAIResponses(wire);
  expect(JSON.stringify([toOpenAI(messages), toOpenAIResponses(messages)])).not.toContain("fs.read");
});

test("an id is cut between characters", () => {
  const id = `${"x".repeat(30)}😀${"y".repeat(20)}`;
  const [, message] = toOpenAI([user("go"), calls(id), result(id)]) as { tool_calls?: { id: string }[] }[];
  expect(message!.tool_calls![0]!.id).toMatch(/^x{30}_[0-9a-f]{8}$/);
});
