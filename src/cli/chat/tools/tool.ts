import { VarveError } from "../../../errors.js";
import { isObject } from "../../../message/plain-value.js";
import type { ToolDefinition } from "../../../message/types.js";

/** Something that the model may do. */
export interface ChatTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  /** What a person reads of a call, in a few words: a path, a command. */
  about(input: ToolInput): string;
  /** What has to be asked first; a tool without it only looks. */
  consent?(input: ToolInput): Promise<ConsentRequest>;
  /** What it returns is the result for the model, and so is the message of what it throws. */
  execute(input: ToolInput, signal: AbortSignal): Promise<string> | string;
}

export type ToolInput = Readonly<Record<string, unknown>>;

/** A question to the user. */
export interface ConsentRequest {
  /** "write" or "run": what `--allow` names. */
  readonly kind: "write" | "run";
  /** Asked once, it is not asked again for the same thing after "always". */
  readonly always: { readonly key: string; readonly words: string };
  readonly question: string;
  /** All that is going to be done, line by line. */
  readonly lines: readonly string[];
}

/** What the model is told of a tool. */
export const definitionOf = ({ name, description, inputSchema }: ChatTool): ToolDefinition => ({
  name,
  description,
  inputSchema,
});

/** Models also send nothing, lists, and broken JSON. */
export const inputOf = (input: unknown): ToolInput => (isObject(input) ? input : {});

export function textIn(input: ToolInput, name: string): string {
  const value = input[name];
  if (typeof value === "string" && value !== "") return value;
  throw refusal(`"${name}" is missing.`, `Give it as a text.`);
}

/** A count, also where it came as a text. */
export function countIn(input: ToolInput, name: string): number | undefined {
  const count = Number(input[name]);
  return input[name] !== undefined && Number.isInteger(count) && count > 0 ? count : undefined;
}

/** A call that is not carried out, with what to do instead. */
export const refusal = (message: string, hint: string): VarveError =>
  new VarveError({ code: "invalid-option", message, hint });
