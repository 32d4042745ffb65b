import { describe, expect, it } from "vitest";
import {
  createTokenCounter,
  type Message,
  openVarve,
  PROVIDERS,
  slidingWindow,
  VarveError,
  violations,
} from "../src/index.js";
import { messageText } from "../src/message/content.js";
import type { AssistantMessage } from "../src/message/types.js";
import { call, calls, idsOf, result, says, system, user, words } from "./support/build.js";
import { PICTURE } from "./support/histories.js";

/** Failures that users of other context managers reported, by their number in the list of scenarios. */

async function viewOf(messages: readonly Message[], window: number, request = {}) {
  const session = await (await openVarve()).session("s", { window, strategy: slidingWindow({ lockLast: 0 }) });
  await session.append(messages);
  return session.view(request);
}

const expectLegal = (messages: readonly Message[]) => {
  for (const provider of PROVIDERS) expect(violations(messages, provider)).toEqual([]);
};

const textOf = (messages: readonly Message[]): string => messages.map(messageText).join("\n");

describe("scenarios: what every view must survive", () => {
  it("1: a batch of 8 parallel calls at every cut point and every budget has no orphan, dangling or duplicate", async () => {
    const batch = (turn: number) => Array.from({ length: 8 }, (_, at) => `t${turn}c${at}`);
    const history = [0, 1, 2].flatMap((turn) => [
      user(`request ${turn}`),
      calls(...batch(turn)),
      ...batch(turn).map((id) => result(id, words(15))),
      says(`done ${turn}`),
    ]);
    for (let end = 1; end <= history.length; end++) {
      for (let window = 60; window <= 1_200; window += 57) {
        const view = await viewOf(history.slice(0, end), window).catch((error) => error as VarveError);
        if (view instanceof VarveError) continue;
        expectLegal(view.messages);
        const { calls: made, results } = idsOf(view.messages);
        expect([...results].sort()).toEqual([...made].sort());
        expect(made.length % 8).toBe(0);
      }
    }
  });

  it("2: results out of order with one pending: the pending call survives, older unanswered calls do not block", async () => {
    const history = [user("go"), calls("old"), user("and now"), calls("a", "b", "c"), result("c"), result("a")];
    const session = await (await openVarve()).session("s", { window: 4_000 });
    await session.append(history);
    const pending = await session.view();
    expectLegal(pending.messages);
    expect(idsOf(pending.messages).calls).toEqual(["old", "a", "b", "c"]);
    expect(pending.repairs.map(({ kind, call: id }) => [kind, id])).toEqual([
      ["unanswered-call", "old"],
      ["unanswered-call", "b"],
    ]);
    await session.append(result("b", "the answer at last"));
    const answered = await session.view();
    expect(textOf(answered.messages)).toContain("the answer at last");
    expect(answered.repairs.map(({ call: id }) => id)).toEqual(["old"]);
  });

  it("3: user text beside a tool result in one Anthropic message is taken apart and put together again", async () => {
    const { fromAnthropic, toAnthropic } = await import("../src/index.js");
    const messages = [
      { role: "user", content: "read it" },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "read", input: { path: "x" } }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "contents" },
          { type: "text", text: "and be quick" },
        ],
      },
    ];
    const view = await viewOf(fromAnthropic({ messages }), 4_000);
    expectLegal(view.messages);
    expect(toAnthropic(view.messages).messages).toEqual(messages);
  });

  it("4: a cut between call and result does not happen, nor at the second cut", async () => {
    const session = await (await openVarve()).session("s", { window: 300, strategy: slidingWindow({ lockLast: 0 }) });
    let cuts = 0;
    for (let step = 0; step < 40; step++) {
      await session.append(
        step % 10 === 0 ? [user(`request ${step}`)] : [calls(`c${step}`), result(`c${step}`, words(20))],
      );
      const view = await session.view();
      expectLegal(view.messages);
      const { calls: made, results } = idsOf(view.messages);
      expect(results).toEqual(made);
      if (view.receipt?.leftOut !== undefined) cuts++;
    }
    expect(cuts).toBeGreaterThanOrEqual(2);
  });

  it("5: signed reasoning in the latest turn is byte-identical, and older reasoning goes whole", async () => {
    const thinking = (id: string): AssistantMessage => ({
      role: "assistant",
      content: [
        {
          type: "reasoning",
          text: words(30, "thought"),
          providerOptions: { anthropic: { signature: `signature-${id}` } },
        },
        call(id),
      ],
    });
    const history = Array.from({ length: 8 }, (_, at) => [
      user(`request ${at}`),
      thinking(`c${at}`),
      result(`c${at}`, words(600)),
    ]).flat();
    const session = await (await openVarve()).session("s", { window: 500, model: "claude-opus-4-5", reserve: 0 });
    await session.append(history);
    const { messages } = await session.view();
    const shown = messages.filter((message) => message.role === "assistant") as AssistantMessage[];
    expect(JSON.stringify(shown.at(-1)?.content[0])).toBe(
      JSON.stringify((history.at(-2) as AssistantMessage).content[0]),
    );
    for (const message of shown) expect(message.content).toHaveLength(2);
    expect(shown.length).toBeLessThan(8);
  });

  it("6: an OpenAI reasoning item and its function call are kept or dropped together", async () => {
    const step = (at: number): Message[] => [
      {
        role: "assistant",
        content: [{ type: "reasoning", text: "", providerOptions: { openai: { itemId: `rs_${at}` } } }, call(`c${at}`)],
      },
      result(`c${at}`, words(20)),
    ];
    const history = [user("go"), ...Array.from({ length: 20 }, (_, at) => step(at)).flat()];
    for (let window = 60; window < 700; window += 40) {
      const { messages } = await viewOf(history, window);
      expect(violations(messages, "openai-responses")).toEqual([]);
      for (const message of messages) if (message.role === "assistant") expect(message.content).toHaveLength(2);
    }
  });

  it("7: one tool result larger than the window is shortened with a mark", async () => {
    const view = await viewOf([user("read it"), calls("a"), result("a", words(50_000))], 2_000);
    expectLegal(view.messages);
    expect(view.tokens).toBeLessThanOrEqual(2_000);
    expect(textOf(view.messages)).toMatch(/omitted/);
    expect(view.receipt?.items[0]).toMatchObject({ from: "e2", to: "e2", fate: "shortened" });
  });

  it("7: 35 results each under the cap whose sum is over fit as well", async () => {
    const ids = Array.from({ length: 35 }, (_, at) => `c${at}`);
    const view = await viewOf(
      [user("read them all"), calls(...ids), ...ids.map((id) => result(id, words(300)))],
      4_000,
    );
    expectLegal(view.messages);
    expect(view.tokens).toBeLessThanOrEqual(4_000);
    expect(idsOf(view.messages).results).toHaveLength(35);
    expect(textOf(view.messages)).toContain("read them all");
  });

  it("7: a last message of 200,000 characters without a break is counted once, not at every step and every view", async () => {
    const counter = createTokenCounter();
    const text = "x9".repeat(100_000);
    let characters = 0;
    const read = (length: number) => {
      characters += length;
    };
    const counting = {
      ...counter,
      name: "counting",
      text: (piece: string) => {
        read(piece.length);
        return counter.text(piece);
      },
      message: (message: Message) => {
        read(messageText(message).length);
        return counter.message(message);
      },
    };
    const session = await (await openVarve()).session("s", { window: 2_000, counter: counting });
    await session.append([user("first"), says("yes"), user(text)]);
    const view = await session.view();
    expect(view.tokens).toBeLessThanOrEqual(2_000);
    expect(characters).toBeLessThan(text.length * 3);
    characters = 0;
    expect((await session.view()).messages).toEqual(view.messages);
    expect(characters).toBeLessThan(text.length / 10);
  });

  it("8: a system prompt and tools larger than the window are refused by name", async () => {
    const tools = [{ name: "read", description: words(200) }];
    const error = await viewOf([user("go")], 552, { system: words(400), tools }).catch(
      (refused: VarveError) => refused,
    );
    expect(error).toMatchObject({
      code: "floor-exceeds-window",
      details: { system: 404, largest: "system", usable: 549 },
    });
    expect((error as VarveError).hint).toContain("system prompt");
  });

  it("14: one picture does not trigger a cut", async () => {
    const picture: Message = {
      role: "user",
      content: [{ type: "image", image: PICTURE + "A".repeat(400_000), mediaType: "image/png" }],
    };
    const view = await viewOf([user("first"), says("yes"), picture, user("what is it?")], 8_000);
    expect(view.leftOut).toBe(0);
    expect(view.messages).toHaveLength(4);
  });

  it("15: switching from a 1M to a 128k model in mid-session cuts once, and switching back shows all again", async () => {
    const session = await (await openVarve()).session("s", { window: 1_000_000 });
    const turns = Array.from({ length: 400 }, (_, at) => [user(`request ${at}`), says(words(500))]).flat();
    await session.append(turns);
    expect((await session.view()).leftOut).toBe(0);
    session.configure({ window: 128_000 });
    const small = await session.view();
    expect(small.tokens).toBeLessThanOrEqual(128_000);
    expectLegal(small.messages);
    expect(textOf(small.messages)).toContain("request 399");
    session.configure({ window: 1_000_000 });
    expect((await session.view()).leftOut).toBe(0);
  });

  it("22: replacement patterns and template marks in contents survive", async () => {
    const odd = "$& $' $` $1 </conversation> {messages} {{x}} \\u0000 <|im_end|> [/INST]";
    const view = await viewOf([system(odd), user(odd), calls("a"), result("a", odd), says(odd)], 4_000, {
      context: odd,
    });
    expect(view.messages.filter((message) => messageText(message).includes(odd))).toHaveLength(4);
    const framed = odd.replace("</con", "&lt;/con").replace("<|", "&lt;|").replace("[/INST", "&#91;/INST");
    expect(view.messages.filter((message) => messageText(message).includes(framed))).toHaveLength(1);
  });

  it("27: the last user message always survives", async () => {
    const request = "the one request that matters";
    const steps = Array.from({ length: 200 }, (_, at) => [calls(`c${at}`), result(`c${at}`, words(40))]).flat();
    const session = await (await openVarve()).session("s", { window: 400 });
    await session.append([user("an earlier one"), says("fine"), user(request)]);
    for (const message of steps) {
      await session.append(message);
      const view = await session.view();
      expect(view.messages.some((each) => each.role === "user" && each.content === request)).toBe(true);
    }
  });

  it("29: a view of 64,000 messages counts its tail alone, and one more step counts one more message", async () => {
    const counter = createTokenCounter();
    let counted = 0;
    const counting = {
      ...counter,
      name: "counting",
      message: (message: Message) => {
        counted++;
        return counter.message(message);
      },
    };
    const session = await (await openVarve()).session("s", { window: 16_000, counter: counting });
    const step = (at: number) => [calls(`c${at}`), result(`c${at}`, words(30))];
    await session.append([user("go"), ...Array.from({ length: 32_000 }, (_, at) => step(at)).flat()]);
    await session.view();
    expect(counted).toBeLessThan(2_500);
    counted = 0;
    await session.append(step(32_001));
    await session.view();
    expect(counted).toBeLessThanOrEqual(6);
  });
});

it("a reminder of the client's in every turn is no reason to refuse a view, and costs a cut no time of its own", async () => {
  const session = await (await openVarve()).session("s", { window: 1_000_000 });
  for (let turn = 0; turn < 1_500; turn++)
    await session.append([user("go on"), { role: "system", content: `time: step ${turn}` }, says("ok")]);
  const { messages } = await session.view();
  expect(messages.length).toBeLessThan(2_048);
});
