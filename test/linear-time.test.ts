/** What a stranger's text may cost: of no shape does it take more than its share of time. */
import { describe, expect, test } from "vitest";
import * as varve from "../src/index.js";
import { cpuTime } from "./support/cpu-time.js";

/** Beginnings that lead the rules on, what then goes on without end, and an end that none of them expects. */
const STARTS = ["x", "# a", "**a", "- a: ", "The user asked to a", "My name is A", "password: a", '{"a":"', "<a "];
const FILLERS = [
  ...[
    "a",
    "A",
    "1",
    " ",
    "\n",
    "\r",
    "\t",
    "\u00a0",
    " \n",
    "[",
    "]",
    "{",
    "(",
    "<",
    ">",
    '"',
    "'",
    "`",
    "/",
    "\\",
    ".",
    "-",
  ],
  ...[
    "_",
    "*",
    ":",
    ",",
    "#",
    "=",
    "@",
    "!",
    "?",
    "|",
    "~",
    "a ",
    "A ",
    "a.",
    "a-",
    "a/",
    "a1",
    "1.",
    "a\n",
    "- a\n",
    "漢",
  ],
  ...["e\u0301", '{"a":1}\n', "[1]\n", '"a"', "\\n", "? ", "and ", "not ", "my ", "# ", "```\n"],
];
const END = "\u2028b";
const SIZE = 24_000;
/** Milliseconds that nobody minds; where time grows with the square of a text this long, it takes some hundred. */
const ENOUGH = 150;

const user = (content: string) => ({ role: "user", content }) as const;
const said = (content: string) => ({ role: "assistant", content }) as const;
const counter = varve.createTokenCounter({ model: "claude-sonnet-4-5" });
const run = { toolCallId: "c", toolName: "bash" } as const;
const talk = (text: string): varve.Message[] => [
  user(text),
  { role: "assistant", content: [{ type: "tool-call", ...run, input: { command: text } }] },
  { role: "tool", content: [{ type: "tool-result", ...run, output: { type: "text", value: text } }] },
  said(text),
  ...[user("go on"), said("fine"), user("and?")],
];
const source = (text: string) => ({ messages: talk(text), counter, maxTokens: 300 });
const schema = { type: "object", properties: { city: { type: "string" }, day: { type: "string", format: "date" } } };

const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  detectFormat: (text) => varve.detectFormat(text),
  readRecording: (text) => [
    varve.readRecording(`_**User**_\n\n${text}\n\n_**Agent**_\n\n${text}`, { format: "specstory" }),
    varve.readRecording(JSON.stringify(talk(text))),
  ],
  verifySummary: (text) => varve.verifySummary(text, { messages: talk("hello"), counter }),
  factsOf: (text) => varve.factsOf(text, { source: "user", speaker: "Ann" }),
  requestsIn: (text) => [varve.requestsIn(text), varve.keptOf(text)],
  redact: (text) => varve.redact(text, varve.findSecrets(text)),
  wire: (text) => [
    varve.fromOpenAI(varve.toOpenAI(talk(text))),
    varve.fromAnthropic(varve.toAnthropic(talk(text)).messages),
  ],
  violations: (text) =>
    varve.PROVIDERS.map((provider) => varve.violations(varve.repair(talk(text)).messages, provider)),
  findSuperseded: (text) => varve.findSuperseded([...talk(text), ...talk(text)]),
  isContextOverflow: (text) => varve.isContextOverflow(new Error(text)),
};

/** What does more with a text is tried with fewer of them. */
const DEARER: typeof FUNCTIONS = {
  reduceObservation: (text) => varve.reduceObservation(text, { maxTokens: 300 }),
  "verifySummary of a source": (text) => varve.verifySummary("## Open\n- Mend src/a.ts: dry-run is on", source(text)),
  createTokenCounter: (text) => [counter.text(text), varve.createTokenCounter().text(text)],
  extractiveSummariser: (text) => varve.extractiveSummariser().summarise(source(text)),
  "a session with memories": async (text) => {
    const open = await varve.openVarve({ onWarning: () => undefined });
    const memory = { scope: { user: "ann" } };
    const session = await open.session("s", { window: 3_000, strategy: "hierarchical", memory });
    await session.append(talk(text));
    await session.view();
    session.search(text);
    await session.learn();
    await open.memory(memory).retrieve(text);
    await open.close();
  },
  entities: (text) =>
    varve.entities({ window: 3_000, schema: schema as varve.JSONSchema }).composePayload("", talk(text), [], ""),
};

/** Texts of so many characters that four times as many take far longer, with both times. */
async function slowAmong(act: (text: string) => unknown, starts: readonly string[]): Promise<unknown[]> {
  const attempt = async (text: string): Promise<void> => {
    try {
      await act(text);
    } catch (error) {
      if (!varve.VarveError.isInstance(error)) throw error;
    }
  };
  await attempt("warm");
  const slow: unknown[] = [];
  for (const start of starts) {
    for (const filler of FILLERS) {
      const text = (size: number) => start + filler.repeat(size / filler.length) + END;
      const many = await cpuTime(() => attempt(text(SIZE)));
      if (many < ENOUGH) continue;
      const few = await cpuTime(() => attempt(text(SIZE / 4)));
      if (many > 8 * few + ENOUGH) slow.push([start, filler, few, many]);
    }
  }
  return slow;
}

describe("four times the text takes no more than its share of time in", { timeout: 120_000 }, () => {
  test.each(Object.entries(FUNCTIONS))("%s", async (_name, act) => {
    expect(await slowAmong(act, ["", ...STARTS])).toEqual([]);
  });

  test.each(Object.entries(DEARER))("%s", async (_name, act) => {
    expect(await slowAmong(act, ["x"])).toEqual([]);
  });

  test("detectFormat of many values of no format", async () => {
    const detect = (count: number) => cpuTime(() => varve.detectFormat('{"a":1}\n'.repeat(count)));
    await detect(1_000);
    expect(await detect(100_000)).toBeLessThan(8 * (await detect(25_000)) + ENOUGH);
  });
});
