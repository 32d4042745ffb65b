/** What a program without types may pass: the public API names the mistake, with a hint, where it is made. */
import { describe, expect, test } from "vitest";
import {
  aiSdkModel,
  anthropic,
  ContextBudget,
  calibrate,
  compactContext,
  contextFiles,
  contextSnapshot,
  contextTools,
  createTokenCounter,
  cutEconomics,
  detectFormat,
  emptyContextDocument,
  extractiveSummariser,
  factsOf,
  fetchModel,
  fileStore,
  findSecrets,
  findSuperseded,
  loadConfig,
  loadPlugins,
  localQueue,
  managedStrategy,
  maybeCompactContext,
  modelFacts,
  modelSummariser,
  NO_CALIBRATION,
  onnxEmbedder,
  openaiCompatible,
  openaiEmbedder,
  openVarve,
  postgresQueue,
  postgresStore,
  pruneMessages,
  readRecording,
  readRecordingStream,
  redact,
  reduceObservation,
  registerStrategy,
  renderMemories,
  renderMemory,
  slidingWindow,
  splitByTurns,
  sqliteStore,
  summariseVerified,
  type TokenCounter,
  takeLastTurns,
  toExchanges,
  verifySummary,
} from "../src/index.js";

const counter = createTokenCounter();
const server = { baseURL: "http://localhost:1/v1", model: "m" };
const hello = { role: "user", content: "Hello" } as const;
const many = Array.from({ length: 40 }, () => hello);

/** Takes what no type allows. */
const odd = (value?: unknown) => value as never;

const refusal = (option: string) =>
  expect.objectContaining({
    code: "invalid-option",
    hint: expect.any(String),
    details: expect.objectContaining({ option }),
  });

const outcome = async (act: () => unknown) => act();

describe("a name that is not known is refused by", () => {
  test.each<[string, string, () => unknown]>([
    ["maybeCompactContext", "forse", () => maybeCompactContext({ messages: many }, odd({ forse: true }))],
    ["compactContext", "kep", () => compactContext(emptyContextDocument("s"), odd({ now: 1, kep: 5 }))],
    ["ContextBudget", "reserv", () => new ContextBudget(odd({ window: 100, counter, reserv: 10 }))],
    ["createTokenCounter", "modl", () => createTokenCounter(odd({ modl: "gpt-4.1" }))],
    ["calibrate", "estimate", () => calibrate(NO_CALIBRATION, odd({ estimate: 1, estimated: 1, reported: 1 }))],
    ["contextSnapshot", "sumary", () => contextSnapshot(odd({ messages: [], now: 1, sumary: "x" }))],
    ["cutEconomics", "stps", () => cutEconomics(odd({ stps: 1 }))],
    ["reduceObservation", "kid", () => reduceObservation("a", odd({ maxTokens: 10, kid: 1 }))],
    ["the hint", "tolName", () => reduceObservation("a", odd({ maxTokens: 10, hint: { tolName: "x" } }))],
    ["openaiCompatible", "apikey", () => openaiCompatible(odd({ ...server, apikey: "k" }))],
    ["anthropic", "maxRetries", () => anthropic(odd({ apiKey: "k", model: "m", maxRetries: 1 }))],
    ["aiSdkModel", "tmeout", () => aiSdkModel({ modelId: "m", doGenerate: odd() }, odd({ tmeout: 1 }))],
    ["modelSummariser", "widow", () => modelSummariser(openaiCompatible(server), odd({ widow: 1 }))],
    ["modelFacts", "sigal", () => modelFacts(openaiCompatible(server), [], odd({ sigal: 1 }))],
    ["factsOf", "speker", () => factsOf("a", odd({ source: "user", speker: "ann" }))],
    ["openaiEmbedder", "dimension", () => openaiEmbedder(odd({ ...server, dimension: 3 }))],
    ["onnxEmbedder", "poling", () => onnxEmbedder(odd({ model: "m.onnx", poling: "cls" }))],
    ["fetchModel", "sha", () => fetchModel(odd({ sha: "x" }))],
    ["readRecording", "fromat", () => readRecording("", odd({ fromat: "pi" }))],
    ["sqliteStore", "timout", () => sqliteStore("./never.db", odd({ timout: 1 }))],
    ["fileStore", "onWarn", () => fileStore("./never", odd({ onWarn: 1 }))],
    ["postgresStore", "pool", () => postgresStore(odd({ url: "postgres://localhost/x", pool: 1 }))],
    ["postgresQueue", "sweep", () => postgresQueue(odd({ url: "postgres://localhost/x", sweep: 1 }))],
    ["localQueue", "pase", () => localQueue(odd({ pase: 1 }))],
    ["registerStrategy", "replce", () => registerStrategy("short", () => slidingWindow(), odd({ replce: true }))],
    ["loadPlugins", "modl", () => loadPlugins([], odd({ modl: 1 }))],
    ["loadConfig", "foldr", () => loadConfig(odd({ foldr: "." }))],
    ["sliding-window", "locklast", () => slidingWindow(odd({ locklast: 2 }))],
  ])("%s: %s", async (of, option, act) => {
    await expect(outcome(act)).rejects.toEqual(refusal(option));
    await expect(outcome(act)).rejects.toThrow(`There is no option ${option} of ${of}.`);
  });
});

describe("what cannot be is named, not stumbled over:", () => {
  test.each<[string, string, () => unknown]>([
    ["new ContextBudget()", "options", () => new ContextBudget(odd())],
    ["a budget whose free is no function", "free", () => new ContextBudget(odd({ window: 9, counter, free: 5 }))],
    ["createTokenCounter(null)", "options", () => createTokenCounter(odd(null))],
    ["a calibration without ratios", "calibration", () => createTokenCounter({ calibration: odd({}) })],
    ["a model that is no name", "model", () => createTokenCounter({ model: odd(5) })],
    ["the count of no text", "text", () => counter.text(odd())],
    ["the count of no tools", "tools", () => counter.tools(odd())],
    ["the count of half a list of tools", "tools[1]", () => counter.tools([{ name: "a" }, odd(null)])],
    ["calibrate({}, …)", "calibration", () => calibrate(odd({}), { estimated: 1, reported: 1 })],
    ["calibrate without a report", "options", () => calibrate(NO_CALIBRATION, odd())],
    ["calibrate without what was reported", "reported", () => calibrate(NO_CALIBRATION, odd({ estimated: 500 }))],
    ["contextSnapshot()", "options", () => contextSnapshot(odd())],
    ["a snapshot of no time", "now", () => contextSnapshot(odd({ messages: [hello] }))],
    ["a snapshot at NaN", "now", () => contextSnapshot({ messages: [hello], now: Number.NaN })],
    ["maybeCompactContext by no summariser", "summariser", () => maybe({ summariser: odd({}) })],
    ["compactContext by no summariser", "summariser", () => compact({ now: 1, summariser: odd({}) })],
    ["summariseVerified()", "summariser", () => summariseVerified(odd(), odd())],
    ["a summary of nothing", "messages", () => extractiveSummariser().summarise(odd({}))],
    ["a summary that is no text", "summary", () => verifySummary(odd(5), { messages: [], counter })],
    ["openaiCompatible()", "options", () => openaiCompatible(odd())],
    ["openaiCompatible({})", "model", () => openaiCompatible(odd({}))],
    ["a server without an address", "baseURL", () => openaiCompatible({ baseURL: "localhost", model: "m" })],
    ["anthropic({})", "model", () => anthropic(odd({}))],
    ["anthropic without a key", "apiKey", () => anthropic(odd({ model: "m" }))],
    ["aiSdkModel()", "model", () => aiSdkModel(odd())],
    ["modelSummariser()", "model", () => modelSummariser(odd())],
    ["modelFacts()", "model", () => modelFacts(odd(), [])],
    ["fetchModel({})", "url", () => fetchModel(odd({}))],
    ["openaiEmbedder({})", "baseURL", () => openaiEmbedder(odd({}))],
    ["onnxEmbedder({})", "model", () => onnxEmbedder(odd({}))],
    ["readRecording(5)", "text", () => readRecording(odd(5))],
    ["a recording in pieces of nothing", "text", () => readRecording([odd(5)])],
    ["readRecordingStream(5)", "chunks", () => readRecordingStream(odd(5))],
    ["detectFormat(5)", "text", () => detectFormat(odd(5))],
    ["sqliteStore()", "path", () => sqliteStore(odd())],
    ["fileStore()", "folder", () => fileStore(odd())],
    ["contextFiles()", "folder", () => contextFiles(odd())],
    ["postgresStore()", "options", () => postgresStore(odd())],
    ["contextTools()", "session", () => contextTools(odd())],
    ["managedStrategy of nobody", "manager", () => managedStrategy("mine", odd())],
    ["managedStrategy without a name", "name", () => managedStrategy(odd(), { composePayload: odd() })],
    ["turns that are no number", "turns", () => takeLastTurns([hello], odd("x"))],
    ["factsOf(5)", "text", () => factsOf(odd(5), { source: "user" })],
    ["findSecrets(5)", "text", () => findSecrets(odd(5))],
    ["redact without places", "spans", () => redact("a", odd())],
    ["renderMemory()", "memory", () => renderMemory(odd())],
    ["renderMemories(5)", "memories", () => renderMemories(odd(5))],
  ])("%s", async (_case, option, act) => {
    await expect(outcome(act)).rejects.toEqual(refusal(option));
  });

  const maybe = (options: object) => maybeCompactContext({ messages: many }, { force: true, ...options });
  const compact = (options: object) => compactContext(emptyContextDocument("s"), odd(options));
});

describe("what is no message is refused by", () => {
  test.each<[string, (messages: never) => unknown]>([
    ["contextSnapshot", (messages) => contextSnapshot({ messages, now: 1 })],
    ["findSuperseded", findSuperseded],
    ["toExchanges", toExchanges],
    ["splitByTurns", (messages) => splitByTurns(messages, 1)],
    ["pruneMessages", pruneMessages],
  ])("%s", (_case, act) => {
    for (const messages of [undefined, "x", [5], [{ role: "user" }]])
      expect(() => act(odd(messages))).toThrow(expect.objectContaining({ code: "invalid-message" }));
  });

  test.each([undefined, 5, {}, { role: "user" }, { role: "tool", content: [{ type: "tool-result" }] }])(
    "a counter: %j",
    (message) => {
      expect(() => counter.message(odd(message))).toThrow(expect.objectContaining({ code: "invalid-message" }));
    },
  );
});

describe("a counter that counts nonsense is named by", () => {
  const counting = (tokens: unknown): TokenCounter => {
    const count = () => tokens as number;
    return { name: "mine", errorBound: 0, text: count, message: count, tools: count };
  };
  const view = async (own: TokenCounter) => {
    const session = await (await openVarve()).session("s", { window: 1_000, counter: own });
    await session.append(hello);
    return session.view();
  };

  test.each<[string, (own: TokenCounter) => unknown]>([
    ["a session", view],
    ["a strategy alone", (own) => slidingWindow({ window: 100, counter: own }).composePayload("", [hello], [])],
    ["ContextBudget", (own) => new ContextBudget({ window: 100, counter: own }).hasSpace(hello)],
    ["maybeCompactContext", (own) => maybeCompactContext({ messages: [hello] }, { counter: own })],
    ["contextSnapshot", (own) => contextSnapshot({ messages: [hello], now: 1, counter: own })],
  ])("%s", async (_case, act) => {
    for (const tokens of [Number.NaN, -1, Number.POSITIVE_INFINITY, "5", undefined, Promise.resolve(5)])
      await expect(outcome(() => act(counting(tokens)))).rejects.toMatchObject({
        code: "invalid-option",
        message: expect.stringContaining('The counter "mine" counted'),
      });
    await expect(outcome(() => act(counting(3)))).resolves.toBeDefined();
  });

  test("reduceObservation", () => {
    const mine = () => Number.NaN;
    expect(() => reduceObservation("a", { maxTokens: 5, counter: mine })).toThrow('The counter "mine" counted NaN');
  });
});
