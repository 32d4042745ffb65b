import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  entities,
  fromAnthropic,
  fromGemini,
  fromOpenAI,
  fromOpenAIResponses,
  type Message,
  openVarve,
  toAnthropic,
  toGemini,
  toOpenAI,
  toOpenAIResponses,
} from "../src/index.js";
import { words } from "./support/build.js";

/**
 * What answers a call stands in every view with its call, be it a result without an id, an item of a tool that the
 * provider defines, or one that it ran itself. Read off the wire formats, without the library's own rules.
 */
interface Wire {
  readonly type?: string;
  readonly [field: string]: unknown;
}

const times = <T>(count: number, make: (at: number) => readonly T[]): T[] =>
  Array.from({ length: count }, (_, at) => make(at)).flat();
const said = (at: number, size: number) => words(size, `w${at}`);
const outcome = { type: "exit", exit_code: 0 };
const asked = (at: number) => ({ role: "user", content: `request ${at} ${said(at, 12)}` });

const shellAgent = [
  asked(0),
  ...times(36, (at): Wire[] => [
    { type: "reasoning", id: `rs_${at}`, summary: [], encrypted_content: "E".repeat(80) },
    { type: "shell_call", id: `sh_${at}`, call_id: `c${at}`, action: { commands: [`ls ${at}`] } },
    { type: "shell_call_output", call_id: `c${at}`, output: [{ stdout: said(at, 40), stderr: "", outcome }] },
  ]),
];
const computerAgent = [
  asked(0),
  ...times(30, (at): Wire[] => [
    { type: "computer_call", id: `cu_${at}`, call_id: `c${at}`, action: { type: "click", x: at, y: 2 } },
    {
      type: "computer_call_output",
      call_id: `c${at}`,
      output: { type: "computer_screenshot", image_url: `https://a.example/${at}.png` },
    },
  ]),
];
const mixedTools = times(16, (at): Wire[] => [
  asked(at),
  { type: "local_shell_call", call_id: `s${at}`, action: { type: "exec", command: ["ls"], env: {} } },
  { type: "function_call", call_id: `f${at}`, name: "g", arguments: "{}" },
  { type: "function_call_output", call_id: `f${at}`, output: said(at, 30) },
  { type: "local_shell_call_output", id: `s${at}`, output: said(at, 30) },
  { role: "assistant", content: `done ${said(at, 10)}` },
]);
const approvals = times(16, (at): Wire[] => [
  asked(at),
  { type: "mcp_approval_request", id: `r${at}`, name: "x", arguments: "{}", server_label: "s" },
  { role: "user", content: `hold on ${said(at, 10)}` },
  { type: "mcp_approval_response", approval_request_id: `r${at}`, approve: true },
  { type: "mcp_call", id: `m${at}`, name: "x", arguments: "{}", server_label: "s", output: said(at, 30) },
  { role: "assistant", content: `done ${said(at, 10)}` },
]);
const searches = times(20, (at): Wire[] => [
  ...(at % 5 === 0 ? [asked(at)] : []),
  { type: "reasoning", id: `rs_${at}`, summary: [], encrypted_content: "E".repeat(40) },
  { type: "tool_search_call", execution: "server", call_id: null, arguments: { paths: ["crm"] } },
  { type: "tool_search_output", execution: "server", call_id: null, tools: [{ type: "function", name: `f${at}` }] },
  { type: "function_call", call_id: `c${at}`, name: `f${at}`, arguments: "{}" },
  { type: "function_call_output", call_id: `c${at}`, output: said(at, 30) },
  { role: "assistant", content: `done ${said(at, 10)}` },
]);
const programs = times(16, (at): Wire[] => {
  const used = { type: "tool_use", id: `t${at}`, name: "query", input: { at }, caller: { tool_id: `s${at}` } };
  return [
    asked(at),
    {
      role: "assistant",
      content: [{ type: "server_tool_use", id: `s${at}`, name: "code_execution", input: {} }, used],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `t${at}`, content: said(at, 40) }] },
    {
      role: "assistant",
      content: [
        { type: "code_execution_tool_result", tool_use_id: `s${at}`, content: { stdout: said(at, 20) } },
        { type: "text", text: `done ${said(at, 10)}` },
      ],
    },
  ];
});
const pauses = times(16, (at): Wire[] => [
  asked(at),
  {
    role: "assistant",
    content: [
      { type: "text", text: said(at, 20) },
      { type: "server_tool_use", id: `s${at}`, name: "web_search", input: { query: "x" } },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "web_search_tool_result", tool_use_id: `s${at}`, content: [{ encrypted_content: "Z".repeat(120) }] },
      { type: "text", text: `found ${said(at, 20)}` },
    ],
  },
]);

/** Calls without an answer and answers without a call, or of another kind. */
function brokenPairs(pairs: readonly { call?: string; answer?: string; mayWait?: boolean }[]): string[] {
  const open = new Map<string, boolean>();
  const broken: string[] = [];
  for (const { call, answer, mayWait } of pairs) {
    if (call !== undefined) open.set(call, mayWait === true);
    if (answer !== undefined && !open.delete(answer)) broken.push(`orphan ${answer}`);
  }
  return [...broken, ...[...open].flatMap(([call, mayWait]) => (mayWait ? [] : [`unanswered ${call}`]))];
}

const ofResponses = (messages: readonly Message[]) =>
  brokenPairs(
    (toOpenAIResponses(messages) as unknown as Wire[]).map((item) => {
      const { type = "", id, call_id: call, approval_request_id: request } = item;
      if (type === "mcp_approval_request") return { call: `approval ${id}`, mayWait: true };
      if (type === "mcp_approval_response") return { answer: `approval ${request}` };
      if (type.startsWith("tool_search_")) return { [type === "tool_search_call" ? "call" : "answer"]: "search" };
      if (type.endsWith("_call_output")) return { answer: `${type.slice(0, -"_output".length)} ${call ?? id}` };
      return type.endsWith("_call") && call !== undefined ? { call: `${type} ${call}` } : {};
    }),
  );

/** A paused turn and a running program may wait at the very end. */
const ofAnthropic = (messages: readonly Message[]) => {
  const encoded = toAnthropic(messages).messages;
  const last = encoded.findLastIndex(({ role, content }) => role === "user" && typeof content === "string");
  return brokenPairs(
    encoded.flatMap(({ content }, at) =>
      (typeof content === "string" ? [] : (content as unknown as Wire[])).map(
        ({ type = "", id, tool_use_id: used }) => {
          if (type.endsWith("tool_use")) return { call: String(id), mayWait: type === "server_tool_use" && at > last };
          return type.endsWith("tool_result") ? { answer: String(used) } : {};
        },
      ),
    ),
  );
};

const CONVERSATIONS = [
  { name: "an agent on the shell", messages: fromOpenAIResponses(shellAgent), broken: ofResponses },
  { name: "an agent on a computer", messages: fromOpenAIResponses(computerAgent), broken: ofResponses },
  { name: "a shell beside functions", messages: fromOpenAIResponses(mixedTools), broken: ofResponses },
  { name: "approvals of MCP calls", messages: fromOpenAIResponses(approvals), broken: ofResponses },
  { name: "searches for tools", messages: fromOpenAIResponses(searches), broken: ofResponses },
  { name: "tools called by a program", messages: fromAnthropic(programs), broken: ofAnthropic },
  { name: "paused turns", messages: fromAnthropic(pauses), broken: ofAnthropic },
];
const STRATEGIES = {
  "sliding-window": () => "sliding-window",
  summarization: () => "summarization",
  hierarchical: () => "hierarchical",
  importance: () => "importance",
  entities: () => entities({ schema: z.object({ city: z.string() }), keepTurns: 2 }),
};

describe.each(CONVERSATIONS)("a view of $name", ({ messages, broken }) => {
  it.each(Object.entries(STRATEGIES))("splits no pair: %s", async (_name, make) => {
    const varve = await openVarve();
    for (const window of [700, 1_500, 3_000]) {
      const grown = await varve.session(`grown ${window}`, { window, strategy: make() });
      let cut = 0;
      for (const message of messages) {
        await grown.append(message);
        const view = await grown.view();
        cut = Math.max(cut, view.leftOut);
        expect(broken(view.messages)).toEqual([]);
      }
      if (window < 3_000) expect(cut).toBeGreaterThan(0);
      const whole = await varve.session(`whole ${window}`, { window, strategy: make() });
      await whole.append(messages);
      expect(broken((await whole.view()).messages)).toEqual([]);
    }
  });
});

/** The view of a session to which each list is appended alone. */
async function viewOf(lists: readonly Message[][]) {
  const session = await (await openVarve()).session("s", { window: 9_000 });
  for (const list of lists) await session.append(list);
  return session.view();
}

describe("a result without an id, appended apart from its call,", () => {
  it("answers it in Gemini", async () => {
    const contents = [
      { role: "user", parts: [{ text: "q" }] },
      {
        role: "model",
        parts: [
          { text: "th", thought: true },
          { functionCall: { name: "f", args: {} }, thoughtSignature: "S" },
          { functionCall: { name: "g", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "g", response: { r: "of g" } } },
          { functionResponse: { name: "f", response: { r: "of f" } } },
        ],
      },
    ];
    const { messages, repairs } = await viewOf(contents.map((content) => fromGemini([content])));
    expect(repairs).toEqual([]);
    expect(toGemini(messages).contents).toEqual(contents);
    const [, called, ...results] = toOpenAI(messages) as unknown as Wire[];
    const ids = (called!.tool_calls as { id: string }[]).map(({ id }) => id);
    expect(results.map(({ tool_call_id: id, content }) => [id, content])).toEqual([
      [ids[1], '{"r":"of g"}'],
      [ids[0], '{"r":"of f"}'],
    ]);
  });

  it("answers it in Gemini under another name than that of the call", async () => {
    const called = ["default_api.f", "default_api.g"].map((name) => ({ functionCall: { name, args: {} } }));
    const returned = ["g", "f"].map((name) => ({ functionResponse: { name, response: { r: `of ${name}` } } }));
    const contents = [
      { role: "user", parts: [{ text: "q" }] },
      { role: "model", parts: called },
      { role: "user", parts: returned },
      { role: "model", parts: [{ functionCall: { name: "h", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { name: "other", response: { r: "of h" } } }] },
    ];
    const { messages, repairs } = await viewOf(contents.map((content) => fromGemini([content])));
    expect(repairs).toEqual([]);
    const parts = toGemini(messages).contents.flatMap((content) => content.parts ?? []);
    expect(parts.flatMap((part) => ("functionResponse" in part ? part.functionResponse : []))).toEqual([
      { name: "default_api.g", response: { r: "of g" } },
      { name: "default_api.f", response: { r: "of f" } },
      { name: "h", response: { r: "of h" } },
    ]);
  });

  it("answers it turn after turn, with calls that all have the same made-up id", async () => {
    const contents = times(3, (at) => [
      { role: "user", parts: [{ text: `q${at}` }] },
      { role: "model", parts: [{ functionCall: { name: "f", args: { at } } }] },
      { role: "user", parts: [{ functionResponse: { name: "f", response: { at } } }] },
      { role: "model", parts: [{ text: "so" }] },
    ]);
    const { messages, repairs } = await viewOf(contents.map((content) => fromGemini([content])));
    expect(repairs).toEqual([]);
    expect(toGemini(messages).contents).toEqual(contents);
    expect(ofAnthropic(messages)).toEqual([]);
  });

  it.each([
    [
      "Ollama",
      { role: "assistant", content: "", tool_calls: [{ function: { name: "f", arguments: { a: 1 } } }] },
      { role: "tool", tool_name: "f", content: "REAL" },
    ],
    [
      "the older format of Chat Completions",
      { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
      { role: "function", name: "f", content: "REAL" },
    ],
  ])("answers it in %s", async (_name, call, result) => {
    const wire = [{ role: "user", content: "q" }, call, result];
    const { messages, repairs } = await viewOf(wire.map((message) => fromOpenAI([message])));
    expect(repairs).toEqual([]);
    expect(toOpenAI(messages)).toEqual(wire);
  });

  it("gives way like any other where a later one says the same", async () => {
    const session = await (await openVarve()).session("s", { window: 1_200, strategy: "sliding-window" });
    await session.append(fromGemini([{ role: "user", parts: [{ text: "q" }] }]));
    for (let at = 0; at < 12; at++) {
      const args = { path: "a.ts" };
      await session.append(fromGemini([{ role: "model", parts: [{ functionCall: { name: "read_file", args } }] }]));
      const response = { output: said(0, 120) };
      await session.append(
        fromGemini([{ role: "user", parts: [{ functionResponse: { name: "read_file", response } }] }]),
      );
      await session.view();
    }
    const fates = session.receipts().flatMap(({ items }) => items.map(({ fate }) => fate));
    expect(fates).toContain("superseded");
  });
});

describe("a failed command of the shell", () => {
  it.each(Object.entries(STRATEGIES))("is shown as failed where its output is shortened: %s", async (_name, make) => {
    const failed = (at: number, outcome: object): Wire[] => [
      { type: "shell_call", call_id: `c${at}`, action: { commands: [`make ${at}`] } },
      {
        type: "shell_call_output",
        call_id: `c${at}`,
        output: [
          { stdout: said(at, 900), stderr: "boom", outcome },
          { stdout: "second", stderr: "", outcome: { type: "exit", exit_code: 0 } },
        ],
      },
    ];
    const session = await (await openVarve()).session("s", { window: 3_000, strategy: make() });
    const outcomes = times(6, (at) => [at % 2 === 0 ? { type: "timeout" } : { type: "exit", exit_code: at }]);
    await session.append(fromOpenAIResponses([asked(0), ...outcomes.flatMap((outcome, at) => failed(at, outcome))]));
    const items = toOpenAIResponses((await session.view()).messages) as unknown as Wire[];
    const shown = items.filter(({ type }) => type === "shell_call_output");
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.some(({ output }) => (output as object[]).length === 1)).toBe(true);
    for (const { call_id: id, output } of shown)
      expect(output).toMatchObject({ 0: { outcome: outcomes[Number(String(id).slice(1))] } });
  });
});
