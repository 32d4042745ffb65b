import type {
  AnyTool,
  AssistantPart,
  Calibration,
  CustomPart,
  FilePart,
  ImagePart,
  JSONValue,
  MemoryInput,
  ModelInfo,
  OpenAIMessage,
  Part,
  Plan,
  PlanInput,
  Policy,
  ReasoningPart,
  ReducedObservation,
  ReduceOptions,
  Scope,
  ScopedMemory,
  TextPart,
  TokenCounterOptions,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
  UserPart,
  Varve,
  VarveErrorOptions,
} from "./index.js";
import {
  calibrate,
  createTokenCounter,
  findModel,
  planView,
  reduceObservation,
  toOpenAI,
  VarveError,
} from "./index.js";

/** Whatever a public function takes or returns has a name that applications can import. */
declare const options: {
  reduce: ReduceOptions;
  counter: TokenCounterOptions;
  error: VarveErrorOptions;
  state: Calibration;
  input: PlanInput;
  policy: Policy;
};

export const reduced: ReducedObservation = reduceObservation("", options.reduce);
export const counter = createTokenCounter(options.counter);
export const error = new VarveError(options.error);
export const model: ModelInfo | undefined = findModel("gpt-4.1");
export const state: Calibration = calibrate(options.state, { estimated: 1, reported: 1 });
export const sent: OpenAIMessage[] = toOpenAI([]);
export const plan: Plan = planView(options.input, options.policy);
export const parts: Part[] = [] satisfies (
  | TextPart
  | ImagePart
  | FilePart
  | CustomPart
  | ReasoningPart
  | ToolCallPart
  | ToolResultPart
  | UserPart
  | AssistantPart
)[];
export const output: ToolOutput = { type: "json", value: null satisfies JSONValue };

interface ForeignFunction {
  type: "function";
  function: { name: string; parameters: object };
}
interface ForeignTool {
  name: string;
  type?: "custom" | null;
  input_schema: object;
}
declare const foreign: [ForeignFunction, ForeignTool];
export const tools: readonly AnyTool[] = foreign;

/** What a program may give to a memory, and what the compiler refuses. */
declare const varve: Varve;
declare const memory: ScopedMemory;
declare const input: MemoryInput;
declare const scope: Scope;

export const opened = [varve.memory({ scope: { user: "ann" } }), varve.memory({ scope }), varve.memory(memory)];
// @ts-expect-error A scope names somebody.
export const ofNobody = varve.memory({ scope: {} });
// @ts-expect-error Tags are nobody.
export const ofTags = varve.memory({ scope: { tags: ["work"] } });

export const stored = [
  memory.store("It is late", { tags: ["time"], speaker: "ann", mood: "tired" }),
  memory.storeMany([input, { content: "It is late", at: new Date(), mood: "tired" }]),
];
// @ts-expect-error Tags are a list.
export const oneTag = memory.store("It is late", { tags: "time" });
// @ts-expect-error There is no such source.
export const ofSystem = memory.store("It is late", { source: "system" });
// @ts-expect-error Tags are a list.
export const manyOfOneTag = memory.storeMany([{ content: "It is late", tags: "time" }]);
// @ts-expect-error There is no such option.
export const withTypo = memory.retrieve("When?", { limt: 3 });
// @ts-expect-error There is no such filter.
export const withFilterTypo = memory.retrieve("When?", { where: { tag: ["time"] } });
