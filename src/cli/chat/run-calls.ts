import { VarveError } from "../../errors.js";
import type { ToolCallPart, ToolOutput } from "../../message/types.js";
import { type ChatTool, inputOf } from "./tools/tool.js";
import type { TurnParts } from "./turn-parts.js";

/** Carries calls out, one after the other. Each result is in the log before the next call begins. False where the user stopped it. */
export async function runCalls(calls: readonly ToolCallPart[], parts: TurnParts): Promise<boolean> {
  for (const call of calls) {
    const { toolCallId, toolName } = call;
    const output = parts.signal.aborted ? STOPPED : await outputOf(call, parts);
    await parts.session.append({ role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] });
  }
  return !parts.signal.aborted;
}

const STOPPED: ToolOutput = { type: "error-text", value: "Not carried out: the user stopped it." };
const DENIED: ToolOutput = { type: "execution-denied", reason: "The user did not agree to it." };

async function outputOf(call: ToolCallPart, parts: TurnParts): Promise<ToolOutput> {
  const { tools, listener, signal } = parts;
  const tool = tools.find(({ name }) => name === call.toolName);
  if (tool === undefined) {
    listener.call(call.toolName, "");
    const known = tools.map(({ name }) => name).join(", ");
    return { type: "error-text", value: `There is no tool "${call.toolName}". There are: ${known}.` };
  }
  const input = inputOf(call.input);
  listener.call(tool.name, tool.about(input));
  try {
    if (!(await mayRun(tool, call, parts))) return signal.aborted ? STOPPED : DENIED;
    const value = await tool.execute(input, signal);
    return { type: "text", value };
  } catch (error) {
    return signal.aborted ? STOPPED : { type: "error-text", value: faultOf(error) };
  }
}

async function mayRun(tool: ChatTool, call: ToolCallPart, { consent, listener }: TurnParts): Promise<boolean> {
  if (tool.consent === undefined) return true;
  return consent.given(await tool.consent(inputOf(call.input)), (request) => listener.ask(request));
}

function faultOf(error: unknown): string {
  if (VarveError.isInstance(error)) return [error.message, error.hint].filter(Boolean).join(" ");
  return error instanceof Error ? error.message : String(error);
}
