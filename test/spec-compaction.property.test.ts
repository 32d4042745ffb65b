import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ContextCompaction, maybeCompactContext } from "../src/compaction/maybe-compact-context.js";
import { splitByTurns, takeLastTurns } from "../src/compaction/turns.js";
import { createTokenCounter, type Message, PROVIDERS, violations } from "../src/index.js";
import { isBlank, messageText } from "../src/message/content.js";
import type { Summariser } from "../src/notes/summariser.js";
import { history } from "./support/histories.js";
import { runs } from "./support/runs.js";

const counter = createTokenCounter();
const tokensOf = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + counter.message(message), 0);

/** Every way in which a summariser may behave, and how often it was asked. */
const BEHAVIOURS = {
  short: async () => ({ text: "Things were said.", madeBy: "short" }),
  marked: async () => ({ text: "[COMPACTED_CONTEXT] Things were said.", madeBy: "marked" }),
  empty: async () => ({ text: " \n", madeBy: "empty" }),
  long: async () => ({ text: "word ".repeat(5_000), madeBy: "long" }),
  fails: async () => Promise.reject(new Error("overloaded")),
  throws: () => {
    throw new Error("broken");
  },
  echoes: async ({ messages, previous = "" }) => ({
    text: previous + messages.map(messageText).join("\n"),
    madeBy: "",
  }),
} satisfies Record<string, Summariser["summarise"]>;

const settings = fc.record({
  behaviour: fc.constantFrom(...(Object.keys(BEHAVIOURS) as (keyof typeof BEHAVIOURS)[])),
  window: fc.oneof(fc.integer({ min: 20, max: 400 }), fc.integer({ min: 400, max: 4_000 })),
  keepLastTurns: fc.constantFrom(1, 1, 2, 3, 6),
  force: fc.boolean(),
});
type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

async function run(
  messages: readonly Message[],
  { behaviour, ...options }: Settings,
): Promise<ContextCompaction & { asked: number }> {
  let asked = 0;
  const summarise: Summariser["summarise"] = (request) => {
    asked++;
    return BEHAVIOURS[behaviour](request);
  };
  const summariser: Summariser = { name: behaviour, summarise };
  return { ...(await maybeCompactContext({ messages }, { summariser, counter, ...options })), asked };
}

const latestUser = (messages: readonly Message[]): Message | undefined =>
  messages.findLast((message) => message.role === "user" && !isBlank(message));

const holds = (check: (messages: Message[], options: Settings) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(history, settings, check));

describe("maybeCompactContext, for any history and any summariser", () => {
  it("ends with a smaller context, or leaves it as it is with a reason", () =>
    holds(async (messages, options) => {
      const compaction = await run(messages, options);
      expect(compaction.tokensBefore).toBe(tokensOf(messages));
      expect(compaction.tokensAfter).toBe(tokensOf(compaction.messages));
      expect(compaction.asked).toBeLessThanOrEqual(2);
      if (compaction.didCompact) expect(compaction.tokensAfter).toBeLessThan(compaction.tokensBefore);
      else expect(compaction.messages).toEqual(messages);
      expect(["summarised", "last-turns"].includes(compaction.reason)).toBe(compaction.didCompact);
    }));

  it("meets the target wherever the last turn alone does", () =>
    holds(async (messages, options) => {
      const { didCompact, tokensAfter } = await run(messages, options);
      const target = Math.floor(options.window / 2);
      if (!didCompact || tokensOf(takeLastTurns(messages, 1)) > target) return;
      expect(tokensAfter).toBeLessThanOrEqual(target);
    }));

  it("is legal for all four providers", () =>
    holds(async (messages, options) => {
      const compaction = await run(messages, options);
      if (!compaction.didCompact) return;
      for (const provider of PROVIDERS) expect(violations(compaction.messages, provider)).toEqual([]);
    }));

  it("shows the last user message and the leading system messages word for word", () =>
    holds(async (messages, options) => {
      const compaction = await run(messages, options);
      if (!compaction.didCompact) return;
      expect(compaction.messages).toContain(latestUser(messages));
      const leading = messages.slice(
        0,
        Math.max(
          0,
          messages.findIndex(({ role }) => role !== "system"),
        ),
      );
      for (const message of leading) if (!isBlank(message)) expect(compaction.messages).toContain(message);
    }));

  it("gives the same for the same input, and leaves the input untouched", () =>
    holds(async (messages, options) => {
      const before = JSON.stringify(messages);
      const first = await run(messages, options);
      expect(JSON.stringify(await run(messages, options))).toBe(JSON.stringify(first));
      expect(JSON.stringify(messages)).toBe(before);
      expect(first.messages).not.toBe(messages);
    }));

  it("reaches a state that it leaves as it is", () =>
    holds(async (messages, options) => {
      let current: readonly Message[] = messages;
      for (let round = 0; round < 12; round++) {
        const compaction = await run(current, { ...options, force: true });
        if (!compaction.didCompact) return;
        current = compaction.messages;
      }
      expect.unreachable("still compacting after twelve rounds");
    }));
});

describe("splitByTurns, for any history", () => {
  it("keeps every exchange whole and every turn in its order", () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 7 }), (messages, turns) => {
        const { old, recent } = splitByTurns(messages, turns);
        const users = (list: readonly Message[]) => list.filter((message) => message.role === "user");
        expect([...users(old), ...users(recent)]).toEqual(
          messages.filter((message) => message.role === "user" && !isBlank(message)),
        );
        if (old.length > 0) expect(users(recent)).toHaveLength(turns);
        for (const part of [old, recent]) {
          const pairing = violations([{ role: "user", content: "go" }, ...part], "openai-chat");
          expect(pairing).toEqual([]);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
