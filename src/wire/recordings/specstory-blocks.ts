import type { AssistantPart, Message, ToolOutput } from "../../message/types.js";
import { textField } from "./fields.js";
import { StepBuilder } from "./step-builder.js";

/** A thought, or a tool with what it gave. */
const BLOCK =
  /<think><details><summary>.*?<\/summary>\n?(?<thought>[\s\S]*?)<\/details><\/think>|<tool-use(?<tool>[^>]*)><details>(?<body>[\s\S]*?)<\/details>\s*<\/tool-use>/g;

/** What the agent wrote under one heading after the other. What it says after a result belongs to the next step. */
export class AgentText {
  #steps = new StepBuilder();
  #calls = 0;

  get hasResults(): boolean {
    return this.#steps.hasResults;
  }

  take(text: string): void {
    let from = 0;
    for (const match of text.matchAll(BLOCK)) {
      this.#addText(text.slice(from, match.index));
      from = match.index + match[0].length;
      const { thought, tool, body } = match.groups ?? {};
      if (body === undefined) this.#add({ type: "reasoning", text: (thought ?? "").trim() });
      else this.#addCall(tool ?? "", body);
    }
    this.#addText(text.slice(from));
  }

  finish(): Message[] {
    const steps = this.#steps;
    this.#steps = new StepBuilder();
    return steps.finish();
  }

  #addText(text: string): void {
    if (text.trim() !== "") this.#add({ type: "text", text: text.trim() });
  }

  #add(part: AssistantPart): void {
    if (this.hasResults) this.#steps.endStep();
    this.#steps.add(part);
  }

  #addCall(tag: string, body: string): void {
    const toolName = /data-tool-name="([^"]*)"/.exec(tag)?.[1] ?? "tool";
    const summary = textField(/<summary>([\s\S]*?)<\/summary>/.exec(body)?.[1]?.trim());
    const { input, output } = readBody(body.replace(/<summary>[\s\S]*?<\/summary>/, "").trim());
    const described = Object.keys(input).length === 0 && summary !== undefined ? { summary } : input;
    const toolCallId = `call_${this.#calls++}`;
    this.#steps.add({ type: "tool-call", toolCallId, toolName, input: described });
    if (output !== undefined) this.#steps.answer({ type: "tool-result", toolCallId, toolName, output });
  }
}

const RESULT = /^\*\*(Result|Error):\*\*\s*$/m;

const FENCE = /^(?:`{3,}|~{3,})/m;

interface Body {
  readonly input: Record<string, string>;
  readonly output: ToolOutput | undefined;
}

function readBody(body: string): Body {
  const marked = RESULT.exec(body);
  const before = marked === null ? body : body.slice(0, marked.index);
  const isInput = before.trimStart().startsWith("**Input:**");
  if (marked === null && !isInput) return readPlainBody(body);
  const input = isInput ? readInput(before) : {};
  if (marked === null) return { input, output: undefined };
  const value = unfenced(body.slice(marked.index + marked[0].length));
  return { input, output: { type: marked[1] === "Error" ? "error-text" : "text", value } };
}

/** Most tools are written for reading: what was asked in words, and below it, in a fence, what came. */
function readPlainBody(body: string): Body {
  const fence = FENCE.exec(body)?.index ?? 0;
  const asked = textField(body.slice(0, fence).trim());
  const input: Record<string, string> = asked === undefined ? {} : { text: asked };
  return { input, output: body === "" ? undefined : { type: "text", value: unfenced(body.slice(fence)) } };
}

/** "- name: `value`", or the value in a fence below. */
const FIELD = /^- ([\w.-]+): ?(?:`(.*)`|[ \t]*\n\s*```[^\n]*\n([\s\S]*?)\n```)\s*$/gm;

const readInput = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(FIELD)].map(([, name, short, long]) => [name, short ?? long ?? ""]));

function unfenced(text: string): string {
  const fence = /^\s*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?\1\s*$/.exec(text);
  return fence?.[2] ?? text.trim();
}
