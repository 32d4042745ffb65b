import { describe, expect, it } from "vitest";
import { type AssistantPart, type Message, openVarve, VarveError } from "../src/index.js";
import { call, result, user, words } from "./support/build.js";

/**
 * Claude up to 4.5 refuses a turn with calls whose first message does not begin with its thinking: "Expected `thinking` or
 * `redacted_thinking`, but found `tool_use`".
 */
const STRATEGIES = ["sliding-window", "summarization", "importance", "hierarchical"] as const;
const thought: AssistantPart = {
  type: "reasoning",
  text: "I read all four files first.",
  providerOptions: { anthropic: { signature: "signed" } },
};
/** What `streamText` keeps of a stream, in front of all that the model said. */
const record = { type: "custom", kind: "anthropic.message_start", providerOptions: { anthropic: { id: "msg_1" } } };

interface Opening {
  readonly parts: readonly AssistantPart[];
  readonly size: number;
}

/** The first thing that the assistant says in the running turn, in each view of a turn that begins like this. */
async function openers(strategy: (typeof STRATEGIES)[number], { parts, size }: Opening): Promise<Message[]> {
  const options = { window: 4_000, model: "claude-opus-4-5", reserve: 0, strategy };
  const session = await (await openVarve()).session("s", options);
  const ids = ["a", "b", "c", "d"];
  await session.append([
    user("Find the bug."),
    { role: "assistant", content: [...parts, ...ids.map((id) => call(id))] },
    ...ids.map((id) => result(id, words(size))),
  ]);
  const shown: Message[] = [];
  for (let step = 0; step < 30; step++) {
    const { messages, tokens, budget, plan } = await session.view();
    expect(tokens).toBeLessThanOrEqual(budget.usable);
    for (const item of plan.items)
      if (item.kind === "exchange" && item.lead === "thinking")
        expect(item.tokens).toBeLessThanOrEqual(budget.usable / 10);
    shown.push(messages.find(({ role }) => role === "assistant")!);
    const size = step % 7 === 6 ? 900 : 120;
    await session.append([{ role: "assistant", content: [call(`s${step}`)] }, result(`s${step}`, words(size))]);
  }
  return shown;
}

describe("a running turn that has to begin with its thinking", () => {
  it.each(STRATEGIES)("keeps it where what was read first is larger than there is room for: %s", async (strategy) => {
    for (const size of [20, 200, 700])
      for (const { content } of await openers(strategy, { parts: [thought], size }))
        expect(content[0]).toEqual(thought);
  });

  it("keeps it behind what the AI SDK records of a stream", async () => {
    const parts = [record, thought] as AssistantPart[];
    for (const { content } of await openers("sliding-window", { parts, size: 200 }))
      expect(content.slice(0, 2)).toEqual(parts);
  });

  it("is refused by name where there is no room for it", async () => {
    const session = await (await openVarve()).session("s", { window: 300, model: "claude-opus-4-5", reserve: 0 });
    const long: AssistantPart = { ...thought, text: words(220) };
    await session.append([
      user("Find the bug."),
      { role: "assistant", content: [long, call("a")] },
      result("a"),
      { role: "assistant", content: [call("b")] },
      result("b", words(200)),
    ]);
    const refusal = await session.view().catch((error: unknown) => error);
    expect(VarveError.isInstance(refusal) && refusal.code).toBe("floor-exceeds-window");
    expect(refusal).toMatchObject({ details: { largest: "lastTurn", pins: 0 } });
  });
});
