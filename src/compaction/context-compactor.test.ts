import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../test/support/runs.js";
import type { Summariser, SummaryRequest } from "../notes/summariser.js";
import { violations } from "../wire/legality/violations.js";
import { type CompactContextOptions, compactContext } from "./context-compactor.js";
import { type ActiveTask, type ContextDocument, emptyContextDocument, type HistoryEntry } from "./context-document.js";

const NOW = 1_708_700_000;
const now = NOW * 1000;
const entry = (role: HistoryEntry["role"], content: string, token_count: number | null = 5): HistoryEntry => ({
  timestamp: NOW,
  role,
  content,
  token_count,
});
const talk = (length: number, tokens = 5): HistoryEntry[] =>
  Array.from({ length }, (_, at) =>
    at % 2 === 0
      ? entry("user", `Message ${at / 2 + 1}`, tokens)
      : entry("assistant", `Response ${(at + 1) / 2}`, tokens),
  );
const documentOf = (fields: Partial<ContextDocument>): ContextDocument => ({
  ...emptyContextDocument("user:agent:1"),
  ...fields,
});
const task = (id: string, status: string, updated_at: number): ActiveTask => ({
  ...{ id, status, updated_at },
  ...{ description: id, progress: 1, created_at: 0 },
});

describe("a history of too many entries", () => {
  it("is left alone up to fifty", async () => {
    const document = documentOf({ recent_history: talk(50) });
    const compaction = await compactContext(document, { now });
    expect(compaction).toMatchObject({ compacted: false, summarisedEntries: 0, document });
  });

  it("keeps the latest thirty; the rest becomes lines of the summary", async () => {
    const recent_history = talk(51);
    const { document, compacted, summarisedEntries } = await compactContext(documentOf({ recent_history }), { now });
    expect(compacted).toBe(true);
    expect(summarisedEntries).toBe(21);
    expect(document.recent_history).toEqual(recent_history.slice(21));
    expect(document.long_term_summary).toMatch(
      /^Previous conversation summary:\n- user: Message 1\n- assistant: Response 1\n- user: Message 2\n/,
    );
    expect(document.long_term_summary.split("\n")).toHaveLength(22);
  });

  it("goes on in the same summary the next time", async () => {
    const first = await compactContext(documentOf({ recent_history: talk(51), long_term_summary: "Earlier." }), {
      now,
    });
    const grown = { ...first.document, recent_history: [...first.document.recent_history, ...talk(21)] };
    const { document } = await compactContext(grown, { now });
    expect(document.long_term_summary).toMatch(/^Earlier\.\n\nPrevious conversation summary:\n- user: Message 1\n/);
    expect(document.long_term_summary.match(/Previous conversation summary:/g)).toHaveLength(1);
    expect(document.long_term_summary).toMatch(/- user: Message 11\n- assistant: Response 11\n- user: Message 12\n/);
  });

  it("shortens a long entry to one line", async () => {
    const recent_history = [entry("user", `first\nline ${"x".repeat(5_000)}`), ...talk(51)];
    const { document } = await compactContext(documentOf({ recent_history }), { now });
    const line = document.long_term_summary.split("\n")[1];
    expect(line).toMatch(/^- user: first line x+…$/);
    expect(line!.length).toBeLessThan(200);
  });

  it("takes other limits", async () => {
    const { document } = await compactContext(documentOf({ recent_history: talk(12) }), {
      now,
      maxHistory: 10,
      keep: 4,
    });
    expect(document.recent_history).toHaveLength(4);
    const short = await compactContext(documentOf({ recent_history: talk(25) }), { now, maxHistory: 20 });
    expect(short.document.recent_history).toHaveLength(20);
    await expect(compactContext(document, { now, keep: 60 })).rejects.toMatchObject({ code: "invalid-option" });
  });
});

describe("a history of too many tokens", () => {
  it("gives its older half to the summary", async () => {
    const recent_history = talk(20, 5_001);
    const { document, tokensBefore, tokensAfter } = await compactContext(documentOf({ recent_history }), { now });
    expect(document.recent_history).toEqual(recent_history.slice(10));
    expect([tokensBefore, tokensAfter]).toEqual([100_020, 50_010]);
  });

  it("is left alone at the limit", async () => {
    const compaction = await compactContext(documentOf({ recent_history: talk(20, 5_000) }), { now });
    expect(compaction.compacted).toBe(false);
  });

  it("is measured after entries went for their number", async () => {
    const { document } = await compactContext(documentOf({ recent_history: talk(60, 3_000) }), { now });
    expect(document.recent_history).toHaveLength(30);
    const heavy = await compactContext(documentOf({ recent_history: talk(60, 4_000) }), { now });
    expect(heavy.document.recent_history).toHaveLength(15);
  });

  it("counts entries that carry no count", async () => {
    const recent_history = [entry("user", "word ".repeat(1_000), null), entry("assistant", "yes", null)];
    const { document } = await compactContext(documentOf({ recent_history }), { now, maxTokens: 500 });
    expect(document.recent_history).toEqual(recent_history.slice(1));
  });
});

describe("a manual compaction", () => {
  it("cuts a history below the limit to what is kept", async () => {
    const { document } = await compactContext(documentOf({ recent_history: talk(40) }), { now, force: true });
    expect(document.recent_history).toHaveLength(30);
  });

  it("takes half of a short one", async () => {
    const { document } = await compactContext(documentOf({ recent_history: talk(8) }), { now, force: true });
    expect(document.recent_history).toHaveLength(4);
  });
});

describe("results and their calls", () => {
  const roles = fc.array(fc.constantFrom("user", "assistant", "tool", "tool"), { maxLength: 90 });

  it("stay together in any history, and none gets lost", async () => {
    await fc.assert(
      fc.asyncProperty(roles, fc.boolean(), async (list, force) => {
        const recent_history = list.map((role, at) => entry(role as HistoryEntry["role"], `entry ${at}`));
        const { document, summarisedEntries } = await compactContext(documentOf({ recent_history }), { now, force });
        expect(document.recent_history).toEqual(recent_history.slice(summarisedEntries));
        if (summarisedEntries > 0) expect(document.recent_history[0]?.role).not.toBe("tool");
        const lines = document.long_term_summary.split("\n").slice(1);
        expect(lines).toEqual(
          recent_history.slice(0, summarisedEntries).map((each) => `- ${each.role}: ${each.content}`),
        );
      }),
      { numRuns: runs(200) },
    );
  });

  it("stay where the whole history is one call with its results", async () => {
    const recent_history = [
      entry("assistant", "all of them"),
      ...Array.from({ length: 60 }, () => entry("tool", "ok")),
    ];
    expect(await compactContext(documentOf({ recent_history }), { now })).toMatchObject({ compacted: false });
  });

  it("leave together where keeping them would keep too much", async () => {
    const results = Array.from({ length: 45 }, () => entry("tool", "ok"));
    const recent_history = [entry("user", "go"), entry("assistant", "all"), ...results, ...talk(8)];
    const { document } = await compactContext(documentOf({ recent_history }), { now });
    expect(document.recent_history).toEqual(talk(8));
  });
});

describe("a summariser", () => {
  const requests: SummaryRequest[] = [];
  const summariser: Summariser = {
    name: "scripted",
    summarise: async (request) => {
      requests.push(request);
      return { text: " They talked.\n", madeBy: "scripted" };
    },
  };

  it("writes what is appended, from legal messages", async () => {
    const recent_history = [
      entry("user", "go"),
      entry("assistant", ""),
      entry("tool", "a"),
      entry("tool", "b"),
      ...talk(50),
    ];
    const document = documentOf({ recent_history, long_term_summary: "Earlier." });
    const compaction = await compactContext(document, { now, summariser });
    expect(compaction.document.long_term_summary).toBe("Earlier.\n\nThey talked.");
    const [request] = requests;
    expect(request!.messages).toHaveLength(24);
    expect(violations(request!.messages, "anthropic")).toEqual([]);
    expect(request!.previous).toBeUndefined();
  });

  it("carries on a summary that has grown too long", async () => {
    requests.length = 0;
    const document = documentOf({ recent_history: talk(51), long_term_summary: "Earlier. ".repeat(40) });
    const compaction = await compactContext(document, { now, summariser, maxSummaryTokens: 100 });
    expect(requests[0]!.previous).toBe(document.long_term_summary);
    expect(compaction.document.long_term_summary).toBe("They talked.");
  });

  it.each([
    ["fails", () => Promise.reject(new Error("overloaded"))],
    ["says nothing", async () => ({ text: "\n", madeBy: "mute" })],
  ])("is replaced by lines where it %s", async (_, summarise) => {
    const document = documentOf({ recent_history: talk(51) });
    const compaction = await compactContext(document, { now, summariser: { name: "bad", summarise } });
    expect(compaction.error).toBeInstanceOf(Error);
    expect(compaction.document.long_term_summary).toMatch(/^Previous conversation summary:\n- user: Message 1\n/);
  });

  it.each([
    ["puts words into the user's mouth", "User asked to delete prod_db_v9. I'm sorry"],
    ["says more than there was", "They talked at length. ".repeat(1_000)],
  ])("is asked once more, and then replaced by lines, where it %s", async (_, text) => {
    let asked = 0;
    const lying: Summariser = { name: "lying", summarise: async () => ({ text, madeBy: `lying ${++asked}` }) };
    const document = documentOf({ recent_history: talk(51) });
    const compaction = await compactContext(document, { now, summariser: lying });
    expect(compaction.document.long_term_summary).toMatch(/^Previous conversation summary:\n- user: Message 1\n/);
    expect(compaction.faults?.length).toBeGreaterThan(0);
    expect(asked).toBe(2);
  });

  it("is taken where its second summary holds", async () => {
    const mending: Summariser = {
      name: "mending",
      summarise: async ({ faults }) => ({ text: faults ? "They talked." : "Call prod_db_v9.", madeBy: "mending" }),
    };
    const compaction = await compactContext(documentOf({ recent_history: talk(51) }), { now, summariser: mending });
    expect(compaction.document.long_term_summary).toBe("They talked.");
    expect(compaction.faults).toMatchObject([{ kind: "unknown-identifier" }]);
    expect(compaction).not.toHaveProperty("error");
  });
});

describe("options that cannot be", () => {
  it.each([{ now: Number.NaN }, { now, maxTokens: Number.NaN }, { now, maxSummaryTokens: 0 }, { now, keep: 0 }])(
    "%o are refused by name",
    async (options) => {
      const option = Object.keys(options).at(-1);
      const refused = { code: "invalid-option", details: { option } };
      await expect(compactContext(documentOf({}), options)).rejects.toMatchObject(refused);
    },
  );

  it("are refused before a completed task is dropped for want of a time", async () => {
    const document = documentOf({ active_tasks: [task("fresh", "Completed", NOW)] });
    const options: Partial<CompactContextOptions> = {};
    await expect(compactContext(document, options as CompactContextOptions)).rejects.toMatchObject({
      details: { option: "now" },
    });
  });
});

describe("the rest of the document", () => {
  it("keeps each fact once, sorted", async () => {
    const facts = ["b", "a", "b ", "", "C", "a"];
    const compaction = await compactContext(documentOf({ facts }), { now });
    expect(compaction.document.facts).toEqual(["C", "a", "b"]);
    expect(compaction).toMatchObject({ compacted: true, removedFacts: 3 });
  });

  it("drops tasks completed a day ago, and no others", async () => {
    const day = 24 * 60 * 60;
    const active_tasks = [
      task("running", "Running", 0),
      task("failed", "Failed", 0),
      task("fresh", "Completed", NOW - day + 1),
      task("stale", "Completed", NOW - day),
    ];
    const compaction = await compactContext(documentOf({ active_tasks }), { now });
    expect(compaction.document.active_tasks.map(({ id }) => id)).toEqual(["running", "failed", "fresh"]);
    expect(compaction).toMatchObject({ compacted: true, removedTasks: 1 });
  });

  it("keeps the long-term summary within its bound over many compactions", async () => {
    let document = documentOf({ long_term_summary: "The user builds a lake model." });
    for (let round = 0; round < 30; round++) {
      const recent_history = [...document.recent_history, ...talk(51)];
      ({ document } = await compactContext({ ...document, recent_history }, { now, maxSummaryTokens: 500 }));
    }
    expect(document.long_term_summary.length).toBeLessThan(2_500);
    expect(document.long_term_summary).toMatch(/^The user builds a lake model\./);
  });

  it("comes back as a copy: the document given is not changed", async () => {
    const given = documentOf({ recent_history: talk(51), facts: ["b", "a"] });
    const before = structuredClone(given);
    const { document } = await compactContext(given, { now });
    document.recent_history[0]!.content = "changed";
    document.tool_stats.by_tool.read = 1;
    expect(given).toEqual(before);
  });
});
