import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  contextFiles,
  emptyContextDocument,
  type Message,
  openVarve,
  parseContextDocument,
  type VarveError,
} from "../src/index.js";
import { says, user } from "./support/build.js";
import { conversation } from "./support/conversation.js";

const root = mkdtempSync(join(tmpdir(), "varve-folder-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const OPTIONS = { window: 4_000, strategy: "hierarchical" };

describe("a folder of sessions", () => {
  it("holds a document for people beside the log, with exactly its fields, kept up to date from the messages", async () => {
    const folder = join(root, "document");
    const varve = await openVarve({ store: `file:${folder}`, now: () => 1_700_000_000_000 });
    const session = await varve.session("user:agent:1", OPTIONS);
    await session.append([{ role: "system", content: "Working directory: /home/ann/atlas" }, ...conversation(20)]);
    await session.view();
    session.track({ facts: ["Project uses Rust 1.75"], environment: { memory_usage_mb: 8192 } });
    session.reportUsage({ inputTokens: 3_000, outputTokens: 200 });
    await varve.close();
    expect(readdirSync(folder).sort()).toEqual([".lock", "user%3aagent%3a1.json", "user%3aagent%3a1.log.jsonl"]);
    const text = readFileSync(join(folder, "user%3aagent%3a1.json"), "utf8");
    expect(text).toMatch(/^\{\n {2}"session_id": "user:agent:1",\n/);
    const document = parseContextDocument(JSON.parse(text));
    expect(Object.keys(document)).toEqual(Object.keys(emptyContextDocument("x")));
    expect(document).toMatchObject({
      system_state: { last_workspace: "/home/ann/atlas" },
      facts: ["Project uses Rust 1.75"],
      tool_stats: { total_calls: 20, by_tool: { read_file: 20 }, failures: 0 },
      last_known_environment: {
        workspace: "/home/ann/atlas",
        last_update: 1_700_000_000,
        system_snapshot: { memory_usage_mb: 8192 },
      },
      token_usage: { total_input: 3_000, total_output: 200, by_session: 3_200 },
    });
    expect(document.recent_history).toHaveLength(50);
    expect(document.recent_history.at(-1)).toMatchObject({ timestamp: 1_700_000_000, role: "assistant" });
    expect(document.long_term_summary).toMatch(/\n\[e1-e/);
    const lines = readFileSync(join(folder, "user%3aagent%3a1.log.jsonl"), "utf8").trimEnd().split("\n");
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    expect(lines.filter((line) => /^\{"sum":\d+,"entry":/.test(line))).toHaveLength(81);
  });

  it("goes on with a session of which only a document is there, from another program", async () => {
    const folder = join(root, "foreign");
    const document = emptyContextDocument("s");
    document.facts.push("User speaks English");
    document.long_term_summary = "They talked about the port 5433.";
    document.recent_history.push(
      { timestamp: 1, role: "user", content: "Read the file" },
      { timestamp: 2, role: "assistant", content: "I read it." },
      { timestamp: 3, role: "tool", content: "contents" },
    );
    await contextFiles(folder).save(document);
    const varve = await openVarve({ store: `file:${folder}` });
    const session = await varve.session("s", OPTIONS);
    const { messages } = await session.view();
    expect(JSON.stringify(messages)).toMatch(/port 5433.*Read the file.*I read it.*contents/);
    expect(session.context().facts).toEqual(["User speaks English"]);
    await varve.close();
    expect((await contextFiles(folder).load("s")).facts).toEqual(["User speaks English"]);
  });

  it("opens a session whose document was damaged: it is set aside, named, and made again", async () => {
    const folder = join(root, "damaged");
    const first = await openVarve({ store: `file:${folder}` });
    await (await first.session("s", OPTIONS)).append(conversation(2));
    await first.close();
    writeFileSync(join(folder, "s.json"), readFileSync(join(folder, "s.json"), "utf8").slice(0, 300));
    const warnings: VarveError[] = [];
    const varve = await openVarve({ store: `file:${folder}`, onWarning: (warning) => warnings.push(warning) });
    const session = await varve.session("s");
    expect(session.entries()).toHaveLength(8);
    expect(warnings).toMatchObject([{ code: "store-damaged", message: expect.stringContaining("s.json.damaged-1") }]);
    expect((await contextFiles(folder).load("s")).tool_stats.total_calls).toBe(2);
    await varve.close();
  });

  it("makes a document again from the log for the present branch, as the session itself does", async () => {
    const folder = join(root, "branches");
    const varve = await openVarve({ store: `file:${folder}` });
    const session = await varve.session("s", OPTIONS);
    const plan = (content: string): Message => ({
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "t", toolName: "todo_write", input: { todos: [{ content }] } }],
    });
    await session.append([user("Working directory: /home/ann/atlas"), plan("Port the parser"), says("begun")]);
    await session.checkpoint("here");
    await session.append([user("Working directory: /home/ann/other"), plan("Write the docs"), says("begun too")]);
    await session.restore("here");
    const { recent_history, ...expected } = session.context();
    await varve.close();
    rmSync(join(folder, "s.json"));
    const document = await contextFiles(folder).load("s");
    expect(document).toMatchObject(expected);
    expect(document.active_tasks.map(({ description }) => description)).toEqual(["Port the parser"]);
    expect(document.last_known_environment.workspace).toBe("/home/ann/atlas");
    expect(document.tool_stats.total_calls).toBe(2);
    expect(document.recent_history.map(({ content }) => content)).toEqual(recent_history.map(({ content }) => content));
  });
});
