/** `varve chat` for one answer: in pipes and scripts, against servers that speak the providers' protocols. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { failureSchema, outputSchemas } from "../src/cli/output/schemas.js";
import { type BuiltPackage, buildPackage } from "./support/built-package.js";
import { type Finished, run } from "./support/command-line.js";
import { type ModelServer, type Script, startModelServer } from "./support/model-server.js";

const ROOT = mkdtempSync(join(tmpdir(), "varve-chat-"));
let built: BuiltPackage;
let server: ModelServer;
let folder: string;
let count = 0;

beforeAll(async () => {
  built = await buildPackage();
}, 60_000);
afterEach(() => server?.close());
afterAll(() => {
  built?.remove();
  rmSync(ROOT, { recursive: true, force: true });
});

async function prepare(script: Script): Promise<void> {
  server = await startModelServer(script);
  folder = join(ROOT, `folder-${count++}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "notes.txt"), "The port is 4711.\n");
}

/** What whoever runs the tests may have set says nothing here. */
const BARE = {
  VARVE_CHAT_URL: "",
  VARVE_CHAT_PROTOCOL: "",
  VARVE_CHAT_MODEL: "",
  VARVE_MODEL: "",
  VARVE_WINDOW: "",
  VARVE_STORE: "",
  VARVE_SESSION: "",
};

const chat = (parameters: readonly string[], input?: string): Promise<Finished> =>
  run(process.execPath, [built.main, "chat", ...parameters], {
    folder,
    input,
    variables: {
      ...BARE,
      XDG_CONFIG_HOME: join(folder, "home"),
      VARVE_WINDOW: "8000",
      VARVE_CHAT_MODEL: "gpt-4o-mini",
      VARVE_CHAT_URL: `${server.url}/v1`,
      OPENAI_API_KEY: "key-for-tests",
    },
  });

describe("one answer", () => {
  test("the answer is on stdout and nothing else, words about it are on stderr", async () => {
    await prepare([
      { text: "Let me look.", calls: [{ id: "c1", name: "read_file", input: { path: "notes.txt" } }] },
      { text: "4711." },
    ]);
    expect(await chat(["Which port?"])).toEqual({ code: 0, stdout: "4711.\n", stderr: "· read_file notes.txt\n" });
  });

  test("the question may come by stdin, and goes on with the last session", async () => {
    await prepare([{ text: "First." }, { text: "Second." }, { text: "Third." }]);
    expect((await chat([], "One?\n")).stdout).toBe("First.\n");
    expect((await chat(["Two?"])).stdout).toBe("Second.\n");
    expect((await chat(["Three?", "--new"])).stdout).toBe("Third.\n");
    const asked = server.requests.map(({ body }) =>
      (body.messages as { role: string; content: string }[]).filter(({ role }) => role !== "system"),
    );
    expect(asked[1]).toMatchObject([
      { content: "One?" },
      { content: "First." },
      { content: expect.stringContaining("Two?") },
    ]);
    expect(asked[2]).toHaveLength(asked[2]!.filter(({ role }) => role === "user").length);
  });

  test("--json gives the answer with its usage and cost", async () => {
    await prepare([{ text: "4711.", counted: 1_000 }]);
    const { code, stdout } = await chat(["Which port?", "--json", "--session", "mine"]);
    expect(code).toBe(0);
    const document = outputSchemas.chat?.parse(JSON.parse(stdout));
    expect(document).toMatchObject({
      session: "mine",
      model: "gpt-4o-mini",
      answer: "4711.",
      finish: "stop",
      usage: { requests: 1, inputTokens: 1_000, outputTokens: 7, cacheReadTokens: 2 },
    });
    expect((document as { usage: { cost: number } }).usage.cost).toBeCloseTo(0.000154, 5);
  });

  test("writes and runs only what was allowed beforehand", async () => {
    const write = { id: "c1", name: "write_file", input: { path: "new.txt", content: "hello" } };
    await prepare([{ text: "", calls: [write] }, { text: "Done." }, { text: "", calls: [write] }, { text: "Done." }]);
    expect((await chat(["Write."])).stderr).toContain("--allow write agrees to it beforehand");
    expect(existsSync(join(folder, "new.txt"))).toBe(false);
    expect((await chat(["--allow", "write", "--allow", "run", "Write."])).stdout).toBe("Done.\n");
    expect(existsSync(join(folder, "new.txt"))).toBe(true);
  });

  test("a file that is larger than the window fits the view, and stays whole in the log", async () => {
    await prepare([
      { text: "", calls: [{ id: "c1", name: "read_file", input: { path: "large.txt" } }] },
      { text: "Much." },
      { text: "", calls: [{ id: "c2", name: "context_search", input: { query: "needle" } }] },
      { text: "Found." },
    ]);
    const lines = Array.from({ length: 9_000 }, (_, at) => `line ${at} says ${at === 8_000 ? "needle 77" : "nothing"}`);
    writeFileSync(join(folder, "large.txt"), lines.join("\n"));
    expect((await chat(["Read it."])).stdout).toBe("Much.\n");
    expect(JSON.stringify(server.requests[1]?.body).length).toBeLessThan(40_000);
    expect((await chat(["Where is the needle?"])).stdout).toBe("Found.\n");
    expect(JSON.stringify(server.requests[3]?.body)).toContain("needle 77");
  });

  test("an answer that was begun twice is printed once", async () => {
    await prepare([{ text: "Never ending", half: "dropped" }, { text: "All of it." }]);
    const { stdout, stderr } = await chat(["Hello?"]);
    expect(stdout).toBe("All of it.\n");
    expect(stderr).toContain("asking again");
  });
});

describe("what goes wrong", () => {
  test("a provider that refuses is told with what to do, as words and as JSON", async () => {
    await prepare([{ status: 401, body: { error: { message: "Incorrect API key provided: key-for-tests" } } }]);
    const { code, stdout, stderr } = await chat(["Hello?", "--json"]);
    expect(code).toBe(1);
    expect(failureSchema.parse(JSON.parse(stdout)).error).toMatchObject({ code: "model-failed" });
    expect(stderr).toContain("What to do: Check the API key");
    expect(stdout + stderr).not.toContain("key-for-tests");
  });

  test("a window that is smaller than it is said to be is told with the way to say so", async () => {
    await prepare([{ status: 400, body: { error: { message: "prompt is too long: 900 tokens > 800 maximum" } } }]);
    const { code, stderr } = await chat(["Hello?"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /prompt is too long[\s\S]*What to do: Its window may be smaller than 8,000 tokens.*--window/,
    );
  });

  test("a window that the provider names is gone on with, and the question is asked once", async () => {
    const refused: number[] = [];
    await prepare((request) => {
      const said = JSON.stringify(request.body);
      if (!said.includes("And?")) return { text: "a fact about rivers. ".repeat(250) };
      if (said.length < (refused[0] ?? 0)) return { text: "Fits." };
      refused.push(said.length);
      return { status: 400, body: { error: { message: "prompt is too long: 6000 tokens > 4000 maximum" } } };
    });
    for (let turn = 0; turn < 3; turn++) await chat([`Tell me more, ${turn}.`]);
    const { code, stdout, stderr } = await chat(["And?"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Fits.\n" });
    expect(stderr).toMatch(/Going on with a window of [\d,]+ tokens/);
    expect(stderr).not.toMatch(/\/undo|\/continue/);
    expect(refused).toHaveLength(1);
  });

  test("an answer that its own limit cut is kept, and that limit is told", async () => {
    await prepare([{ text: "One two", finish: "length", counted: 500, said: 40 }, { text: "three." }]);
    const { stdout, stderr } = await chat(["Count."]);
    expect(stdout).toBe("One two\n");
    expect(stderr).toMatch(/cut at the limit of its output.*maxOutputTokens/);
    expect(stderr).not.toMatch(/window was full|\/continue/);
    expect(server.requests).toHaveLength(1);
    await chat(["Go on."]);
    expect(JSON.stringify(server.requests[1]?.body)).toContain("One two");
  });

  test("a question that failed is asked again, and stands there once", async () => {
    await prepare([{ status: 401 }, { text: "Hello." }]);
    expect((await chat(["Hello?"])).code).toBe(1);
    expect((await chat(["Hello?"])).stdout).toBe("Hello.\n");
    const said = JSON.stringify(server.requests[1]?.body.messages);
    expect(said.split("Hello?")).toHaveLength(2);
  });

  test("no question, no model and no window are told apart", async () => {
    await prepare([{ text: "" }]);
    expect(await chat([], "  \n")).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no question.") });
    const bare = (variables: NodeJS.ProcessEnv) =>
      run(process.execPath, [built.main, "chat", "Hello?"], {
        folder,
        variables: { ...BARE, XDG_CONFIG_HOME: ROOT, ...variables },
      });
    const keyless = await bare({ VARVE_CHAT_MODEL: "gpt-4o-mini", OPENAI_API_KEY: "", OPENAI_BASE_URL: "" });
    expect(keyless).toMatchObject({ code: 6, stderr: expect.stringContaining("OPENAI_API_KEY is not set") });
    expect(existsSync(join(folder, ".varve"))).toBe(false);
    expect((await bare({})).stderr).toContain("VARVE_CHAT_MODEL");
    expect((await bare({ VARVE_CHAT_MODEL: "mine:8b" })).stderr).toMatch(/"mine:8b" is not in the table[\s\S]*window/);
    expect((await bare({ VARVE_CHAT_MODEL: "claude-sonnet-4-5", ANTHROPIC_API_KEY: "" })).stderr).toContain(
      "ANTHROPIC_API_KEY",
    );
  });
});
