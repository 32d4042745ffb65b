/**
 * Tools that OpenAI defines and others run: the items of their calls and outputs have shapes of their own. Here they are
 * calls and results like those of any tool. One that was shortened until it lost its shape is written as a function's.
 */
import { outputText } from "../message/content.js";
import { copyValue, isObject, sameValue } from "../message/plain-value.js";
import type { ToolCallPart, ToolContentPart, ToolOutput, ToolResultPart } from "../message/types.js";
import { carried, carry, type Fields, layOver, oddField, optionText, unknownFields, withField } from "./carried.js";
import { decodeToolInput, encodeToolInput } from "./openai-responses-parts.js";
import type { ResponsesCall, ResponsesCallOutput } from "./openai-responses-types.js";
import { hasFailed, outputOf } from "./tool-output.js";
import type { WireObject } from "./value.js";

interface NativeTool {
  readonly name: string;
  /** The fields that say what to do; the first that a call has is the input. */
  readonly sources: readonly string[];
  /** Whether the input says enough to be sent. */
  takes(input: unknown): boolean;
  /** The output as one to be shown and shortened; undefined for any other shape. */
  read(output: unknown): ToolOutput | undefined;
  /** The output as it is sent; undefined where it cannot be. */
  write(part: ToolResultPart): unknown;
  /** Fields that an output must have beside. */
  more?(part: ToolResultPart): Fields;
}

const writeText = (part: ToolResultPart): string => outputText(outputOf(part));
const readText = (output: unknown): ToolOutput | undefined =>
  typeof output === "string" ? { type: "text", value: output } : undefined;

const TOOLS: ReadonlyMap<unknown, NativeTool> = new Map<unknown, NativeTool>([
  [
    "shell_call",
    {
      name: "shell",
      sources: ["action"],
      takes: (input) => isObject(input) && Array.isArray(input.commands),
      read: readRuns,
      write: writeRuns,
    },
  ],
  [
    "local_shell_call",
    {
      name: "local_shell",
      sources: ["action"],
      takes: (input) => isObject(input) && Array.isArray(input.command),
      read: readText,
      write: writeText,
    },
  ],
  [
    "apply_patch_call",
    {
      name: "apply_patch",
      sources: ["operation"],
      takes: (input) => isObject(input) && typeof input.type === "string" && typeof input.path === "string",
      read: readText,
      write: writeText,
      more: (part) => ({ status: hasFailed(part) ? "failed" : "completed" }),
    },
  ],
  [
    "computer_call",
    {
      name: "computer",
      sources: ["action", "actions"],
      takes: (input) => (Array.isArray(input) ? input : [input]).every((each) => isObject(each) && isString(each.type)),
      read: readScreenshot,
      write: writeScreenshot,
    },
  ],
]);

const isString = (value: unknown): value is string => typeof value === "string";

const OUTPUT = "_output";
const toolOfOutput = (type: unknown): NativeTool | undefined =>
  isString(type) && type.endsWith(OUTPUT) ? TOOLS.get(type.slice(0, -OUTPUT.length)) : undefined;

export const isNativeCall = (type: unknown): boolean => TOOLS.has(type);
export const isNativeOutput = (type: unknown): type is string => toolOfOutput(type) !== undefined;

/** The type of the output that a call of a native tool wants. */
export const outputTypeOf = (type: string): string => type + OUTPUT;

/** The name of the tool that an output is of. */
export const nativeName = (type: unknown): string | undefined => toolOfOutput(type)?.name;

/** `{}` marks the field that is the input. */
export function decodeNativeCall(wire: WireObject, index: number): ToolCallPart {
  const { name, sources } = TOOLS.get(wire.type)!;
  const source = sources.find((field) => typeof wire[field] === "object" && wire[field] !== null);
  const toolCallId = isString(wire.call_id) ? wire.call_id : `call_${index}`;
  let fields = withField(unknownFields(wire, new Set(["type", "id", "call_id", source ?? ""])), "type", wire.type);
  if (source !== undefined) fields = withField(fields, source, {});
  if (wire.id !== undefined && !isString(wire.id)) fields = withField(fields, "id", wire.id);
  if (!isString(wire.call_id)) fields = oddField(fields, "call_id", wire.call_id);
  const input = source === undefined ? {} : copyValue(wire[source]);
  const options = isString(wire.id) ? { openai: { itemId: wire.id } } : undefined;
  return { type: "tool-call", toolCallId, toolName: name, input, ...carry("openaiResponses", fields, options) };
}

/** Undefined for a call of another tool, and for one that was shortened until it lost its shape. */
export function encodeNativeCall(part: ToolCallPart, call_id: string): ResponsesCall | undefined {
  const fields = carried(part, "openaiResponses");
  const tool = TOOLS.get(fields?.type);
  if (fields === undefined || tool === undefined) return undefined;
  // Shortened calls have their arguments as text, and no others of these do.
  if (part.rawInput !== undefined && !tool.takes(part.input)) return undefined;
  const source = tool.sources.find((field) => isObject(fields[field]));
  const id = optionText(part, "openai", "itemId");
  const item = layOver({ type: fields.type, call_id, ...(id !== undefined && { id }) }, fields);
  if (source !== undefined) layOver(item, { [source]: copyValue(part.input) });
  return item as unknown as ResponsesCall;
}
/** The carried name of how a failed command ended: no field of an output, and known where its texts lost their runs. */
const FAILURE = "varve_failure";
const NOT_LAID: ReadonlySet<string> = new Set(["output", FAILURE]);

export interface NativeOutput {
  readonly output: ToolOutput;
  /** How the output stood there: `{}` for a value, `""` for a text where none belongs. */
  readonly mark?: unknown;
  /** Fields to be carried beside. */
  readonly more?: Fields;
}

/** The output of an item. */
export function decodeNativeOutput({ type, output }: WireObject): NativeOutput {
  const read = toolOfOutput(type)?.read(output);
  if (read !== undefined) return { output: read, ...failureIn(output) };
  if (isString(output)) return { output: { type: "text", value: output }, mark: "" };
  if (typeof output === "object" && output !== null)
    return { output: { type: "json", value: copyValue(output) }, mark: {}, ...failureIn(output) };
  return { output: { type: "text", value: "" }, mark: output ?? (output === null ? null : false) };
}

/** Undefined where the output has no form of the type. */
export function encodeNativeOutput(
  part: ToolResultPart,
  type: string,
  call_id: string,
): ResponsesCallOutput | undefined {
  const tool = toolOfOutput(type)!;
  const given = carried(part, "openaiResponses");
  const fields = given?.type === type ? given : undefined;
  const output = writeOutput(tool, part, fields?.output);
  if (output === undefined) return undefined;
  const item = layOver({ type, call_id, output: "", ...(fields === undefined && tool.more?.(part)) }, fields, NOT_LAID);
  return layOver(item, { output: output as Fields[string] }) as ResponsesCallOutput;
}

/** False stands for no output. */
function writeOutput(tool: NativeTool, part: ToolResultPart, mark: unknown): unknown {
  const { output } = part;
  if (isObject(mark) && output.type === "json") return copyValue(output.value);
  const isText = output.type === "text" || output.type === "error-text";
  if (mark === "" && isText) return output.value;
  if (mark !== undefined && !isObject(mark) && isText && output.value === "") return mark;
  return tool.write(part);
}

/** Each command has a text for what it printed, and one behind it for its errors. */
function readRuns(output: unknown): ToolOutput | undefined {
  if (!Array.isArray(output) || output.length === 0 || !output.every(isRun)) return undefined;
  const value = output.flatMap(({ stdout, stderr, ...run }): ToolContentPart[] => {
    const printed: ToolContentPart = {
      type: "text",
      text: stdout,
      ...carry("openaiResponses", { run: copyValue(run) }),
    };
    if (stderr === "") return [printed];
    return [printed, { type: "text", text: stderr, ...carry("openaiResponses", { run: "stderr" }) }];
  });
  return { type: "content", value };
}

const isRun = (run: unknown): run is { stdout: string; stderr: string } & WireObject =>
  isObject(run) && isString(run.stdout) && isString(run.stderr);

const hasEndedBadly = (run: unknown): run is WireObject =>
  isObject(run) && isObject(run.outcome) && (run.outcome.type === "timeout" || (run.outcome.exit_code ?? 0) !== 0);

function failureIn(output: unknown): { more?: Fields } {
  const failed = Array.isArray(output) ? output.find(hasEndedBadly) : undefined;
  return failed === undefined ? {} : { more: withField(undefined, FAILURE, failed.outcome) };
}

function writeRuns(part: ToolResultPart): object[] {
  const { output } = part;
  const parts = output.type === "content" ? output.value : [];
  if (!parts.some((each) => isObject(carried(each, "openaiResponses")?.run)))
    return [{ stdout: writeText(part), stderr: "", outcome: outcomeOf(part) }];
  const runs: { stdout: string; stderr: string }[] = [];
  for (const each of parts) {
    const run = carried(each, "openaiResponses")?.run;
    const last = runs.at(-1);
    if (isObject(run)) runs.push(layOver({ stdout: String(each.text), stderr: "" }, copyValue(run) as Fields));
    else if (last !== undefined && isString(each.text)) last.stderr += each.text;
  }
  return runs;
}

function outcomeOf(part: ToolResultPart): unknown {
  const failure = carried(part, "openaiResponses")?.[FAILURE];
  return isObject(failure) ? copyValue(failure) : { type: "exit", exit_code: hasFailed(part) ? 1 : 0 };
}

function readScreenshot(output: unknown): ToolOutput | undefined {
  if (!isObject(output) || output.type !== "computer_screenshot") return undefined;
  const part = decodeToolInput({ ...output, type: "input_image" });
  const read: ToolOutput = { type: "content", value: [part] };
  return part.type !== "custom" && sameValue(screenshotOf(read), output) ? read : undefined;
}

function writeScreenshot(part: ToolResultPart): object | undefined {
  return screenshotOf(outputOf(part));
}

function screenshotOf(output: ToolOutput): object | undefined {
  const parts = output.type === "content" ? output.value.map(encodeToolInput) : [];
  const image = parts.find((part) => part?.type === "input_image");
  return image && { ...image, type: "computer_screenshot" };
}
