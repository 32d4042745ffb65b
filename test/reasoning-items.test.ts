import { describe, expect, it } from "vitest";
import {
  fromGemini,
  fromOpenAIResponses,
  hierarchical,
  importance,
  type Message,
  openVarve,
  slidingWindow,
  summarization,
  toAnthropic,
  toGemini,
  toOpenAIResponses,
  type View,
} from "../src/index.js";
import { words } from "./support/build.js";

/** What providers give of a model's reasoning, sealed, and want back: what becomes of it when a view leaves things out. */
const STRATEGIES = [slidingWindow, hierarchical, summarization, importance];
const TURN = 12;

type Item = { readonly [key: string]: unknown };
const user = (at: number) => ({ role: "user", content: `Task ${at}: ${words(12)}` });

/** A step of a run without state on OpenAI's side (`store: false`): reasoning, the call it led to, and the output. */
const step = (at: number, output = words(40, `out${at}`)): Item[] => [
  { type: "reasoning", id: `rs_${at}`, summary: [], encrypted_content: `gAAA${at}` },
  {
    type: "function_call",
    id: `fc_${at}`,
    call_id: `c${at}`,
    name: "read_file",
    arguments: `{"path":"src/${"abc"[at % 3]}.ts"}`,
  },
  { type: "function_call_output", call_id: `c${at}`, output },
];
const given = (steps: number): Item[] =>
  Array.from({ length: steps }, (_, at) => [...(at % TURN === 0 ? [user(at)] : []), ...step(at)]).flat();

/** The same as Gemini gives it: the first call of a step is signed. */
const signature = (at: number) => Buffer.from(`sig${at}`).toString("base64");
const geminiStep = (at: number): Item[] => [
  {
    role: "model",
    parts: [
      { functionCall: { name: "read", args: { path: `src/${at % 3}.ts` } }, thoughtSignature: signature(at) },
      { functionCall: { name: "list", args: {} } },
    ],
  },
  {
    role: "user",
    parts: ["read", "list"].map((name) => ({
      functionResponse: { name, response: { output: words(20, `out${at}`) } },
    })),
  },
];
const geminiGiven = (steps: number): Item[] =>
  Array.from({ length: steps }, (_, at) => [
    ...(at % TURN === 0 ? [{ role: "user", parts: [{ text: `Task ${at}` }] }] : []),
    ...geminiStep(at),
  ]).flat();

/** The views of a conversation that grows step by step. */
async function views(
  options: { model: string; window: number; target?: number; strategy: ReturnType<typeof slidingWindow> },
  messages: readonly Message[],
): Promise<View[]> {
  const session = await (await openVarve()).session("s", options);
  const made: View[] = [];
  for (const message of messages) {
    await session.append(message);
    if (message.role !== "assistant") made.push(await session.view());
  }
  return made;
}

/** Ids of reasoning without the call it led to, and of calls without their reasoning: "Item 'fc_1' of type 'function_call'
 * was provided without its required 'reasoning' item: 'rs_1'", and the other way round. */
function torn(items: readonly Item[]): unknown[] {
  const number = ({ id }: Item) => String(id).slice(3);
  return items.flatMap((item, at) => {
    const [before, after] = [items[at - 1], items[at + 1]];
    if (item.type === "reasoning") return after?.id === `fc_${number(item)}` ? [] : [item.id];
    const isLed = item.type !== "function_call" || item.id === undefined || before?.id === `rs_${number(item)}`;
    return isLed ? [] : [item.id];
  });
}

const lengths = (made: readonly View[]) => made.map(({ messages }) => messages.length);
const cuts = (made: readonly View[]): number =>
  lengths(made).filter((length, at, all) => length < (all[at - 1] ?? 0)).length;

describe("OpenAI's encrypted reasoning", () => {
  const steps = 60;

  it.each(STRATEGIES)(
    "stays with the call it led to, byte for byte, at cuts inside turns and on turns: %o",
    async (strategy) => {
      const made = await views(
        { model: "gpt-5.4", window: 1_500, strategy: strategy() },
        fromOpenAIResponses(given(steps)),
      );
      expect(cuts(made)).toBeGreaterThan(2);
      const known = new Map(given(steps).map((item) => [item.id, item]));
      for (const { messages } of made) {
        const items = toOpenAIResponses(messages) as unknown as Item[];
        expect(torn(items)).toEqual([]);
        const sealed = items.filter(({ type }) => type === "reasoning" || type === "function_call");
        expect(sealed).toEqual(sealed.map(({ id }) => known.get(id)));
      }
    },
  );

  it("stays where the output of its call is shortened, cleared or replaced by a newer one", async () => {
    const fates = new Set<string>();
    const items = [
      user(0),
      ...Array.from({ length: 40 }, (_, at) => step(at, words(at % 9 === 8 ? 900 : 120, "line"))),
    ].flat();
    for (const strategy of [slidingWindow(), slidingWindow({ clearResults: false })]) {
      const options = { model: "gpt-5.4", window: 4_000, target: 0.75, strategy };
      for (const { messages, plan } of await views(options, fromOpenAIResponses(items))) {
        for (const { fate } of plan.changes) fates.add(fate);
        expect(torn(toOpenAIResponses(messages) as unknown as Item[])).toEqual([]);
      }
    }
    expect([...fates].sort()).toEqual(["cleared", "shortened", "superseded"]);
  });

  it("is not sent to another provider, and is whole when the conversation comes back", async () => {
    const made = await views(
      { model: "claude-opus-5-5", window: 1_500, strategy: slidingWindow() },
      fromOpenAIResponses(given(steps)),
    );
    expect(cuts(made)).toBeGreaterThan(2);
    for (const { messages } of made) {
      expect(JSON.stringify([toAnthropic(messages), toGemini(messages)])).not.toContain("gAAA");
      expect(torn(toOpenAIResponses(messages) as unknown as Item[])).toEqual([]);
    }
  });
});

describe("Gemini's thought signatures", () => {
  /** The signatures of the first call of each step. */
  const firsts = (messages: readonly Message[]) =>
    toGemini(messages).contents.flatMap(({ role, parts }) => {
      const first = role === "model" ? parts.find((part) => "functionCall" in part) : undefined;
      return first === undefined ? [] : [first.thoughtSignature];
    });

  it.each(STRATEGIES)(
    "stand on the first call of every step, as they came, at cuts inside turns and on turns: %o",
    async (strategy) => {
      const own = Array.from({ length: 60 }, (_, at) => signature(at));
      const made = await views(
        { model: "gemini-3.5-flash", window: 1_500, strategy: strategy() },
        fromGemini(geminiGiven(60)),
      );
      expect(cuts(made)).toBeGreaterThan(2);
      for (const { messages } of made) {
        const found = firsts(messages);
        expect(found.filter((each) => !own.includes(String(each)))).toEqual([]);
      }
    },
  );

  it("give way to the one that Gemini takes for others where the call itself was shortened", async () => {
    const long = [
      { role: "user", parts: [{ text: "Write it." }] },
      {
        role: "model",
        parts: [{ functionCall: { name: "write", args: { text: words(3_000) } }, thoughtSignature: signature(1) }],
      },
      { role: "user", parts: [{ functionResponse: { name: "write", response: { output: "ok" } } }] },
    ];
    const made = await views({ model: "gemini-3.5-flash", window: 600, strategy: slidingWindow() }, fromGemini(long));
    expect(firsts(made.at(-1)!.messages)).toEqual(["skip_thought_signature_validator"]);
  });

  it("are not sent to another provider, and are there when the conversation comes back", async () => {
    const thought = { text: "Hm.", thought: true, thoughtSignature: signature(99) };
    const contents = geminiGiven(40).map((content) =>
      content.role === "model" ? { ...content, parts: [thought, ...(content.parts as Item[])] } : content,
    );
    const made = await views(
      { model: "claude-opus-5-5", window: 1_500, strategy: slidingWindow() },
      fromGemini(contents),
    );
    expect(cuts(made)).toBeGreaterThan(1);
    for (const { messages } of made) {
      expect(JSON.stringify([toAnthropic(messages), toOpenAIResponses(messages)])).not.toContain("c2ln");
      expect(firsts(messages)).not.toContain(undefined);
      const steps = toGemini(messages).contents.filter(({ role }) => role === "model");
      for (const { parts } of steps) expect(parts[0]).toEqual(thought);
    }
  });
});
