/** The configuration examples of the five specifications, as they stand there, and what they bring about. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  compactContext,
  compactionOptions,
  emptyContextDocument,
  loadConfig,
  maybeCompactContext,
  openVarve,
  sessionOptions,
  varveOptions,
} from "../src/index.js";
import { says, user, words } from "./support/build.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "varve-spec-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, value: unknown): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

const NO_HOME = { XDG_CONFIG_HOME: "/nowhere", APPDATA: "/nowhere" };
const load = (environment: Record<string, string> = {}) =>
  loadConfig({ folder, environment: { ...NO_HOME, ...environment } });

/** Opens varve with a configuration, as a program would, and a session with some turns. */
async function chat(turns: number, environment: Record<string, string> = {}) {
  const loaded = await load(environment);
  const varve = await openVarve(await varveOptions(loaded, environment));
  const session = await varve.session("user1:agent1:123", {
    window: 64_000,
    ...(await sessionOptions(loaded, environment)),
  });
  let most = 0;
  for (let turn = 0; turn < turns; turn++) {
    await session.append([user(`request ${turn}: ${words(20)}`)]);
    most = Math.max(most, (await session.view({ system: "Be brief." })).messages.length);
    await session.append([says(`answer ${turn}: ${words(20)}`)]);
  }
  return { varve, session, most };
}

/** About a thousand tokens that differ from those of other reports. */
const report = (at: number): string =>
  Array.from(
    { length: 50 },
    (_, line) => `Step ${line} of ${at} changed src/part-${at}/file-${line}.ts, and it passed.`,
  ).join(" ");

describe("the configuration examples of the specifications", () => {
  it("1: snapshots go to .openstarry/snapshots, and a restart recalls the context", async () => {
    write("varve.json", { store: "memory", window: 8_000, snapshots: { folder: ".openstarry/snapshots/", every: 4 } });
    const { varve } = await chat(6);
    await varve.close();
    expect(readdirSync(join(folder, ".openstarry", "snapshots")).length).toBe(1);
    const { session } = await chat(0);
    expect(session.recalled?.messages).toBe(12);
  });

  it("2: plugin.json chooses the summarization strategy with its model and its threshold", async () => {
    write("plugin.json", {
      id: "my-complex-agent",
      contextStrategy: {
        type: "plugin",
        pluginId: "std-summarization-strategy",
        config: { compressionModel: "gemini-1.5-flash", threshold: 20 },
      },
    });
    write("varve.json", { store: "memory", chat: { baseURL: "http://127.0.0.1:9/v1" } });
    const { values } = await load();
    expect(values.find(({ path }) => path === "strategy")).toMatchObject({
      value: "my-complex-agent",
      source: { kind: "project", file: join(folder, "plugin.json") },
    });
    const { session } = await chat(30);
    expect(session.status().strategy).toBe("summarization");
    // More than 20 turns are summarised though they would fit; the model cannot be reached, so the log's own words do.
    await expect.poll(async () => (await session.view()).leftOut, { timeout: 60_000 }).toBeGreaterThan(0);
  });

  it("3: the context folder, the history limit and the tokens are those of the memory system", async () => {
    write("varve.json", { store: "file:./data/context", compaction: { maxHistory: 50, keep: 30, maxTokens: 100_000 } });
    const { varve, session } = await chat(3);
    await varve.close();
    expect(existsSync(join(folder, "data", "context", "user1%3aagent1%3a123.json"))).toBe(true);
    expect(session.id).toBe("user1:agent1:123");
    const { document: limits } = compactionOptions(await load());
    const recent_history = Array.from({ length: 51 }, (_, at) => ({
      timestamp: 1_708_654_321 + at,
      role: "user" as const,
      content: `Message ${at + 1}`,
      token_count: 5,
    }));
    const before = { ...emptyContextDocument("user1:agent1:123"), recent_history };
    const { document } = await compactContext(before, { now: 0, ...limits });
    expect(document.recent_history).toHaveLength(30);
    expect(document.long_term_summary).toContain("Message 1");
  });

  it("3: MAX_RECENT_HISTORY moves the limit", async () => {
    const loaded = await load({ MAX_RECENT_HISTORY: "100" });
    expect(compactionOptions(loaded).document).toEqual({ maxHistory: 100, keep: 60 });
  });

  it("4: context_management is read as it stands", async () => {
    write("varve.json", {
      store: "memory",
      context_management: {
        strategy: "importance_based",
        max_messages: 50,
        summarize_threshold: 40,
        importance_threshold: 0.6,
        checkpoint_interval_messages: 10,
        semantic_memory: {
          enabled: true,
          embedding_model: "text-embedding-ada-002",
          vector_store: "chroma",
          similarity_threshold: 0.7,
        },
      },
    });
    const { config, notes } = await load();
    expect(config).toMatchObject({
      strategy: "importance",
      strategyOptions: { threshold: 0.6, after: { entries: 40 } },
      checkpointEvery: 10,
      memory: { enabled: true, similarityThreshold: 0.7 },
      embedder: { model: "text-embedding-ada-002" },
    });
    expect(notes).toEqual([expect.stringContaining('vector_store is "chroma"')]);
    // Without a key for the model that is named, the built-in embedder does its work.
    expect((await varveOptions(await load(), {})).embedder?.name).toMatch(/^built-in/);
    const keyed = { OPENAI_API_KEY: "secret" };
    expect((await varveOptions(await load(), keyed)).embedder?.name).toBe("openai:text-embedding-ada-002:1536");
    const { session, most } = await chat(60);
    expect(session.status().strategy).toBe("importance");
    expect(most).toBeGreaterThan(20);
    expect(most).toBeLessThanOrEqual(50);
    expect(session.checkpoints().length).toBeGreaterThan(9);
  });

  it("5: the constants of the compaction come from the environment", async () => {
    const environment = {
      CONTEXT_WINDOW_TOKENS: "64000",
      COMPACT_TRIGGER: "48000",
      COMPACT_TARGET: "50%",
      KEEP_LAST_TURNS: "6",
      MAX_COMPACTION_ATTEMPTS: "2",
    };
    const loaded = await load(environment);
    const { messages: options } = compactionOptions(loaded);
    expect(options).toEqual({ window: 64_000, trigger: 0.75, target: 0.5, keepLastTurns: 6, maxAttempts: 2 });
    const turns = Array.from({ length: 60 }, (_, at) => [user(`request ${at}`), says(report(at))]).flat();
    const small = await maybeCompactContext({ messages: turns.slice(0, 20) }, options);
    expect(small.didCompact).toBe(false);
    const { messages, reason } = await maybeCompactContext({ messages: turns }, options);
    expect(reason).toBe("summarised");
    const first = messages.find(({ role }) => role === "assistant");
    expect(first?.content).toMatch(/^\[COMPACTED_CONTEXT\]/);
    expect(
      messages
        .filter(({ role }) => role === "user")
        .slice(-6)
        .map(({ content }) => content),
    ).toEqual(["request 54", "request 55", "request 56", "request 57", "request 58", "request 59"]);
    const spent = await maybeCompactContext({ messages: turns }, { ...options, attempts: 2, force: true });
    expect(spent.reason).toBe("attempts-exhausted");
  });
});
