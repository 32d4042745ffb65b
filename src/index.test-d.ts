import type {
  AnyTool,
  AssistantPart,
  Calibration,
  CustomPart,
  FilePart,
  ImagePart,
  JSONValue,
  ModelInfo,
  OpenAIMessage,
  Part,
  ReasoningPart,
  ReducedObservation,
  ReduceOptions,
  StrategyInput,
  TextPart,
  TokenCounterOptions,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
  UserPart,
  VarveErrorOptions,
  Viewer,
} from "./index.js";
import { calibrate, createTokenCounter, findModel, reduceObservation, toOpenAI, VarveError } from "./index.js";

/** Whatever a public function takes or returns has a name that applications can import. */
declare const options: {
  reduce: ReduceOptions;
  counter: TokenCounterOptions;
  error: VarveErrorOptions;
  state: Calibration;
  input: StrategyInput;
};

export const reduced: ReducedObservation = reduceObservation("", options.reduce);
export const counter = createTokenCounter(options.counter);
export const error = new VarveError(options.error);
export const model: ModelInfo | undefined = findModel("gpt-4.1");
export const state: Calibration = calibrate(options.state, { estimated: 1, reported: 1 });
export const sent: OpenAIMessage[] = toOpenAI([]);
export const start: (input: StrategyInput) => Viewer = (input) => ({
  cut: input.log.start,
  view: () => Promise.reject(error),
});
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
