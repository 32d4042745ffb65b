import { describe, expect, it } from "vitest";
import { type Message, openVarve, PROVIDERS, toOpenAI, type VarveError, violations } from "../src/index.js";
import { calls, result, says, user } from "./support/build.js";

const turns = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => [user(`q${at}`), says(`a${at}`)]).flat();
const batch = (count: number): Message[] => {
  const ids = Array.from({ length: count }, (_, at) => `c${at}`);
  return [calls(...ids), ...ids.map((id) => result(id))];
};
const viewOf = async (messages: Message[], strategy = "sliding-window") => {
  const session = await (await openVarve()).session("s", { window: 1_000_000, strategy } as never);
  await session.append(messages);
  return session.view();
};

describe("a view of many small messages", () => {
  it.each(["sliding-window", "importance", "hierarchical"])(
    "is cut before Chat Completions refuse it: %s",
    async (strategy) => {
      const view = await viewOf([...turns(2_000), user("and now?")], strategy);
      expect(view.leftOut).toBeGreaterThan(0);
      expect(toOpenAI(view.messages).length).toBeLessThanOrEqual(2048);
      expect(view.messages.at(-1)).toMatchObject({ content: "and now?" });
      for (const provider of PROVIDERS) expect(violations(view.messages, provider)).toEqual([]);
    },
  );

  it("is cut inside a turn of many calls too", async () => {
    const view = await viewOf([
      user("go"),
      ...Array.from({ length: 1_200 }, (_, at) => [calls(`c${at}`), result(`c${at}`)]).flat(),
    ]);
    expect(toOpenAI(view.messages).length).toBeLessThanOrEqual(2048);
    expect(view.messages.some(({ content }) => content === "go")).toBe(true);
  });

  it("is not cut again with every turn", async () => {
    const session = await (await openVarve()).session("s", { window: 1_000_000 });
    await session.append([...turns(800), user("now")]);
    const before = await session.view();
    await session.append([says("so"), user("next")]);
    const after = await session.view();
    expect(after.messages.slice(0, before.messages.length)).toEqual(before.messages);
  });

  it("is refused with a typed error where one exchange alone has too many", async () => {
    const refusal = await viewOf([user("go"), ...batch(2_100)]).catch((error: unknown) => error as VarveError);
    expect(refusal).toMatchObject({ code: "too-many-messages", hint: expect.stringContaining("exchange") });
  });

  it("is told of a list by its rule", () => {
    expect(violations([...turns(1_100), user("now")], "openai-chat")).toEqual([
      { rule: "too-many-messages", at: 2048 },
    ]);
  });
});
