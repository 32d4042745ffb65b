import { describe, expect, it, vi } from "vitest";
import { calls, result, says, system, user, words } from "../../test/support/build.js";
import { messageText } from "../message/content.js";
import { OPENER } from "../message/repair.js";
import type { Message } from "../message/types.js";
import type { Summariser, SummaryRequest } from "../notes/summariser.js";
import { PROVIDERS, violations } from "../wire/legality/violations.js";
import { maybeCompactContext } from "./maybe-compact-context.js";

const turns = (count: number, size = 40, from = 0): Message[] =>
  Array.from({ length: count }, (_, at) => [user(`request ${at + from}`), says(words(size))]).flat();

const summariserOf = (make: (request: SummaryRequest) => string): Summariser & { requests: SummaryRequest[] } => {
  const requests: SummaryRequest[] = [];
  return {
    name: "scripted",
    requests,
    summarise: async (request) => {
      requests.push(request);
      return { text: make(request), madeBy: "scripted" };
    },
  };
};
const brief = () => summariserOf(() => "Several things were said.");
const failing: Summariser = { name: "failing", summarise: () => Promise.reject(new Error("overloaded")) };

describe("maybeCompactContext leaves a context as it is", () => {
  it.each([
    ["empty", [], {}],
    ["below-trigger", turns(8), {}],
    ["nothing-old", turns(6), { force: true }],
    ["attempts-exhausted", turns(8), { force: true, attempts: 2 }],
  ] as const)("where it is %s", async (reason, messages, options) => {
    const summariser = brief();
    const onCompacted = vi.fn();
    const compaction = await maybeCompactContext({ messages }, { summariser, onCompacted, ...options });
    expect(compaction).toMatchObject({ didCompact: false, reason, ratio: 1, messages });
    expect(compaction.tokensAfter).toBe(compaction.tokensBefore);
    expect(compaction.attempts).toBe("attempts" in options ? 2 : 0);
    expect(summariser.requests).toEqual([]);
    expect(onCompacted).not.toHaveBeenCalled();
  });

  it("where no form of it would be smaller, and counts the attempt", async () => {
    const messages = [user("a"), user("b"), calls("unanswered")];
    const options = { summariser: brief(), keepLastTurns: 1, force: true };
    const compaction = await maybeCompactContext({ messages }, options);
    expect(compaction).toMatchObject({ didCompact: false, reason: "removed-nothing", attempts: 1, messages });
  });
});

describe("maybeCompactContext by the spec's defaults", () => {
  const at = (tokens: number): Message[] => [...turns(9, 10), user(words(tokens - 9 * 20 - 50))];

  it("starts at three quarters of 64,000 tokens", async () => {
    const summariser = brief();
    const below = await maybeCompactContext({ messages: at(47_900) }, { summariser });
    expect(below).toMatchObject({ didCompact: false, reason: "below-trigger" });
    const above = await maybeCompactContext({ messages: at(48_200) }, { summariser });
    expect(above.tokensBefore).toBeGreaterThanOrEqual(48_000);
    expect(above.didCompact).toBe(true);
  });

  it("keeps the last six turns word for word behind the summary", async () => {
    const messages = [system("be brief"), ...turns(40, 1_300)];
    const compaction = await maybeCompactContext({ messages }, { summariser: brief() });
    expect(compaction).toMatchObject({ didCompact: true, reason: "summarised", level: 1, attempts: 1 });
    expect(compaction.messages.slice(0, 3)).toEqual([
      messages[0],
      OPENER,
      expect.objectContaining({ content: "[COMPACTED_CONTEXT]\nSeveral things were said." }),
    ]);
    expect(compaction.messages.slice(3)).toEqual(messages.slice(-12));
    expect(compaction.tokensAfter).toBeLessThanOrEqual(32_000);
    expect(compaction.ratio).toBeCloseTo(compaction.tokensAfter / compaction.tokensBefore);
  });

  it("opens with a stand-in that says nothing of what the user said or wants", async () => {
    const { messages } = await maybeCompactContext({ messages: turns(40, 1_300) }, { summariser: brief() });
    expect(messageText(messages[0]!)).toBe("[Placeholder: the user wrote nothing here.]");
  });

  it("hands the summariser everything before them, and no system prompt", async () => {
    const summariser = brief();
    const messages = [system("be brief"), ...turns(40, 1_300)];
    await maybeCompactContext({ messages }, { summariser });
    expect(summariser.requests[0]?.messages).toEqual(messages.slice(1, -12));
    expect(summariser.requests[0]?.previous).toBeUndefined();
    expect(summariser.requests[0]?.maxTokens).toBe(8_000);
  });
});

describe("the summary", () => {
  const messages = turns(8);
  const options = { force: true, window: 4_000 };

  it("is marked once, whether the summariser wrote the mark or not", async () => {
    for (const text of ["[COMPACTED_CONTEXT] so far", "so far"]) {
      const compaction = await maybeCompactContext({ messages }, { summariser: summariserOf(() => text), ...options });
      expect(messageText(compaction.messages[1]!)).toBe("[COMPACTED_CONTEXT]\nso far");
    }
  });

  it("carries level, messages and tokens as metadata", async () => {
    const compaction = await maybeCompactContext({ messages }, { summariser: brief(), ...options });
    expect(compaction.messages[1]).toMatchObject({
      role: "assistant",
      providerOptions: { varve: { compacted: { level: 1, messages: 4, tokensBefore: expect.any(Number) } } },
    });
  });

  it("becomes the previous one of the next level", async () => {
    const first = await maybeCompactContext({ messages }, { summariser: brief(), ...options });
    const summariser = brief();
    const grown = [...first.messages, ...turns(3, 40, 8)];
    const second = await maybeCompactContext({ messages: grown }, { summariser, ...options });
    expect(summariser.requests[0]?.previous).toBe("Several things were said.");
    expect(summariser.requests[0]?.messages).toEqual(messages.slice(4, 10));
    expect(second.level).toBe(2);
    expect(second.messages.filter((message) => messageText(message).startsWith("[COMPACTED"))).toHaveLength(1);
    expect(second.messages[1]).toMatchObject({ providerOptions: { varve: { compacted: { level: 2, messages: 10 } } } });
  });

  it("is known by its text where the metadata was lost", async () => {
    const first = await maybeCompactContext({ messages }, { summariser: brief(), ...options });
    const bare = first.messages.map(({ providerOptions: _, ...message }) => message as Message);
    const second = await maybeCompactContext(
      { messages: [...bare, user("more")] },
      { summariser: brief(), ...options },
    );
    expect(second.level).toBe(2);
  });
});

describe("the fallback", () => {
  const options = { force: true, window: 1_000, keepLastTurns: 6 };

  it("keeps only the last turns where the summariser fails, and says why", async () => {
    const messages = [system("be brief"), ...turns(8)];
    const compaction = await maybeCompactContext({ messages }, { summariser: failing, ...options });
    expect(compaction).toMatchObject({ didCompact: true, reason: "last-turns", level: 0 });
    expect(compaction.error).toMatchObject({ message: "overloaded" });
    expect(compaction.messages).toEqual([messages[0], ...messages.slice(-12)]);
  });

  it.each([
    ["an empty summary", { text: " \n", madeBy: "mute" }],
    ["a mark without a summary", { text: " [COMPACTED_CONTEXT] \n", madeBy: "mute" }],
    ["a refusal", { text: "I cannot help with that.", madeBy: "prude", finish: "refused" as const }],
  ])("treats %s as a failure", async (_, summary) => {
    const summariser: Summariser = { name: "bad", summarise: async () => summary };
    const compaction = await maybeCompactContext({ messages: turns(8) }, { summariser, ...options });
    expect(compaction.reason).toBe("last-turns");
    expect(compaction.error).toBeInstanceOf(Error);
  });

  it("takes fewer turns where the summary leaves too much", async () => {
    const messages = turns(10, 150);
    const compaction = await maybeCompactContext({ messages }, { summariser: brief(), ...options });
    expect(compaction).toMatchObject({ reason: "last-turns", level: 1 });
    expect(compaction.tokensAfter).toBeLessThanOrEqual(500);
    expect(compaction.messages.slice(2)).toEqual(messages.slice(-4));
  });

  it("gives up a summary rather than the turns where both are too large", async () => {
    const messages = [...turns(4, 250), ...turns(6, 60, 4)];
    const summariser = summariserOf(() => turns(4, 110).map(messageText).join("\n"));
    const compaction = await maybeCompactContext({ messages }, { ...options, summariser, summaryTokens: 500 });
    expect(compaction).toMatchObject({ reason: "last-turns", level: 0 });
    expect(compaction.messages).toEqual(messages.slice(-12));
  });

  it("keeps the earlier summary where a new one cannot be had", async () => {
    const first = await maybeCompactContext({ messages: turns(8) }, { summariser: brief(), ...options });
    const messages = [...first.messages, ...turns(2, 40, 8)];
    const compaction = await maybeCompactContext({ messages }, { summariser: failing, ...options });
    expect(compaction).toMatchObject({ reason: "last-turns", level: 1 });
    expect(compaction.messages[1]).toBe(first.messages[1]);
  });

  it("keeps the last turn whole, above the target too", async () => {
    const messages = [...turns(3, 10), user(words(600))];
    const compaction = await maybeCompactContext({ messages }, { summariser: brief(), ...options, keepLastTurns: 2 });
    expect(compaction).toMatchObject({ didCompact: true, reason: "last-turns", level: 1 });
    expect(compaction.messages.at(-1)).toBe(messages.at(-1));
  });

  it("cuts a last turn of more messages than a provider takes, as a view is cut", async () => {
    const steps = Array.from({ length: 1_200 }, (_, at) => [calls(`c${at}`), result(`c${at}`)]).flat();
    const messages = [...turns(3), user("go"), ...steps];
    const compaction = await maybeCompactContext({ messages }, { summariser: brief(), force: true, keepLastTurns: 1 });
    expect(compaction).toMatchObject({ didCompact: true, reason: "last-turns" });
    expect(compaction.messages.length).toBeLessThan(2_048);
    expect(compaction.messages).toContain(messages[6]);
    expect(compaction.messages.at(-1)).toBe(messages.at(-1));
    for (const provider of PROVIDERS) expect(violations(compaction.messages, provider)).toEqual([]);
  });

  it("cleans out calls that nobody answered", async () => {
    const messages = [...turns(7), user("go"), calls("a"), user("and?"), calls("b"), result("b")];
    const compaction = await maybeCompactContext({ messages }, { summariser: failing, ...options });
    expect(compaction.messages.slice(-4)).toEqual([user("go"), user("and?"), calls("b"), result("b")]);
  });

  it("does not wait for a summariser beyond the signal", async () => {
    const summariser: Summariser = { name: "stuck", summarise: () => new Promise(() => {}) };
    const controller = new AbortController();
    const pending = maybeCompactContext({ messages: turns(8) }, { summariser, signal: controller.signal, ...options });
    controller.abort(new Error("too slow"));
    expect(await pending).toMatchObject({ reason: "last-turns", error: { message: "too slow" } });
  });
});

describe("a summary that does not hold", () => {
  const messages = [user("Use /srv/app on port 8443, never the old host."), ...turns(8)];
  const options = { force: true, window: 4_000 };
  const LIE = "The user asked to delete /etc/passwd.";

  it("is asked for once more, with its faults", async () => {
    const summariser = summariserOf(({ faults }) => (faults === undefined ? LIE : "Goal: /srv/app on port 8443."));
    const compaction = await maybeCompactContext({ messages }, { summariser, ...options });
    expect(messageText(compaction.messages[1]!)).toBe("[COMPACTED_CONTEXT]\nGoal: /srv/app on port 8443.");
    expect(summariser.requests[1]?.faults?.join()).toContain("/etc/passwd");
    expect(compaction.faults?.map(({ kind }) => kind)).toEqual(["unknown-identifier", "request-not-made"]);
  });

  it("is then made of the conversation's own words, and the faults are told", async () => {
    const summariser = summariserOf(() => LIE);
    const compaction = await maybeCompactContext({ messages }, { summariser, ...options });
    expect(compaction).toMatchObject({ reason: "summarised", level: 1 });
    expect(messageText(compaction.messages[1]!)).toContain("Use /srv/app on port 8443, never the old host.");
    expect(summariser.requests).toHaveLength(2);
    expect(compaction.faults).toHaveLength(4);
  });

  it("is taken back to its first faults where the second attempt fails", async () => {
    const summariser = summariserOf(({ faults }) => {
      if (faults !== undefined) throw new Error("overloaded");
      return LIE;
    });
    const compaction = await maybeCompactContext({ messages }, { summariser, ...options });
    expect(compaction.reason).toBe("summarised");
    expect(compaction.error).toBeUndefined();
    expect(messageText(compaction.messages[1]!)).not.toContain("passwd");
  });

  it("does not arise where no summariser is given", async () => {
    const compaction = await maybeCompactContext({ messages }, options);
    expect(compaction).toMatchObject({ didCompact: true, reason: "summarised", level: 1 });
    expect(messageText(compaction.messages[1]!)).toContain("Use /srv/app on port 8443, never the old host.");
    expect(compaction.messages.slice(2)).toEqual(messages.slice(-12));
    expect(compaction).not.toHaveProperty("faults");
  });

  it("is no matter for a context that needs no options", async () => {
    expect(await maybeCompactContext({ messages })).toMatchObject({ didCompact: false, reason: "below-trigger" });
  });
});

describe("a model that stopped", () => {
  it.each(["length", "max_tokens", "MAX_TOKENS", "max_output_tokens"])("for %s forces a compaction", async (reason) => {
    const compaction = await maybeCompactContext({ messages: turns(8) }, { finishReason: reason, summariser: brief() });
    expect(compaction).toMatchObject({ didCompact: true, reason: "summarised" });
  });

  it.each(["stop", "tool-calls", null])("for %s does not", async (finishReason) => {
    const compaction = await maybeCompactContext({ messages: turns(8) }, { finishReason });
    expect(compaction).toMatchObject({ didCompact: false, reason: "below-trigger" });
  });

  it("again and again ends with the attempts", async () => {
    const options = { finishReason: "length", summariser: brief() };
    const first = await maybeCompactContext({ messages: turns(20) }, options);
    const grown = [...first.messages, ...turns(7, 40, 20)];
    const second = await maybeCompactContext({ messages: grown }, { ...options, attempts: first.attempts });
    const third = await maybeCompactContext({ messages: grown }, { ...options, attempts: second.attempts });
    expect([first, second, third].map(({ didCompact }) => didCompact)).toEqual([true, true, false]);
    expect(third.reason).toBe("attempts-exhausted");
  });
});

describe("maybeCompactContext in a loop", () => {
  it("tells onCompacted what it did", async () => {
    const onCompacted = vi.fn();
    const options = { summariser: brief(), force: true, onCompacted };
    const compaction = await maybeCompactContext({ messages: turns(8) }, options);
    const { tokensBefore: before, tokensAfter: after, ratio, messages } = compaction;
    expect(onCompacted).toHaveBeenCalledExactlyOnceWith({
      ...{ before, after, ratio, messages },
      ...{ level: 1, attempts: 1, reason: "summarised" },
    });
  });

  it("ends a loop of forced compactions after its attempts", async () => {
    let context = { messages: turns(30) };
    let attempts = 0;
    let compactions = 0;
    for (let round = 0; round < 10; round++) {
      const summariser = brief();
      const compaction = await maybeCompactContext(context, { summariser, force: true, keepLastTurns: 6, attempts });
      attempts = compaction.attempts;
      context = { messages: [...compaction.messages, ...turns(7, 40, 30 + round)] };
      if (compaction.didCompact) compactions++;
    }
    expect(compactions).toBe(2);
    expect(attempts).toBe(2);
  });

  it("stays bounded over twenty compactions in a row", async () => {
    let messages = turns(12);
    const sizes: number[] = [];
    for (let round = 0; round < 20; round++) {
      const summariser = summariserOf(({ previous = "" }) => `${previous} round ${round}`);
      const compaction = await maybeCompactContext({ messages }, { summariser, window: 1_200, force: true });
      expect(compaction.level).toBe(round + 1);
      sizes.push(compaction.tokensAfter);
      messages = [...compaction.messages, ...turns(7, 40, 12 + 7 * round)];
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(600);
  });

  it("names an option that makes no sense", async () => {
    const run = (options: object) => maybeCompactContext({ messages: [] }, { summariser: brief(), ...options });
    await expect(run({ keepLastTurns: 0 })).rejects.toMatchObject({ code: "invalid-option" });
    await expect(run({ maxAttempts: 1.5 })).rejects.toThrow(/maxAttempts/);
    await expect(run({ trigger: 0.4, target: 0.6 })).rejects.toThrow(/target/);
  });
});
