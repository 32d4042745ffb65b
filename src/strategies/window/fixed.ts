import type { ViewRequest } from "../../compaction/view.js";
import { isBlank } from "../../message/content.js";
import type { Entry } from "../../message/entry.js";
import type { Log } from "../../message/log.js";
import type { Message, SystemMessage, ToolDefinition } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { Counted } from "./counted.js";

/** The blocks that stand in front of the history: the system prompt and the tools. They are locked. */
export interface FixedBlocks {
  readonly messages: readonly Message[];
  readonly system: number;
  readonly tools: number;
}

/** Share of the usable tokens that system messages from inside the conversation may take together. */
const LATE_SHARE = 0.2;

/** Counts the locked blocks; what was counted for one view is kept for the next. */
export class FixedBlockCounter {
  readonly #counter: TokenCounter;
  #prompt: Counted<SystemMessage> | undefined;
  readonly #tools = new WeakMap<ToolDefinition, number>();

  /** What a list of tools costs beyond the tools in it. */
  readonly #toolsOverhead: number;

  constructor(counter: TokenCounter) {
    this.#counter = counter;
    const tool = { name: "tool" };
    this.#toolsOverhead = 2 * counter.tools([tool]) - counter.tools([tool, tool]);
  }

  measure(request: ViewRequest, log: Log, usable: number): FixedBlocks {
    const recorded = this.#recorded(log, usable * LATE_SHARE);
    const prompt = /\S/.test(request.system ?? "") ? [this.#count(request.system!)] : [];
    const system = [...prompt, ...recorded];
    return {
      messages: system.map(({ message }) => message),
      system: system.reduce((sum, { tokens }) => sum + tokens, 0),
      tools: this.#countTools(request.tools ?? []),
    };
  }

  /**
   * The log's system messages: those at its start, and the later ones behind them, since most providers take system
   * messages at the start only. Of the later ones repeats are shown once, and the newest go first where room is short.
   */
  #recorded(log: Log, room: number): Counted[] {
    const late: Counted[] = [];
    const seen = new Set<unknown>();
    let left = room;
    for (const at of log.lateSystem.toReversed()) {
      const counted = this.#countEntry(log.entries[at]!);
      if (seen.has(counted.message.content) || isBlank(counted.message) || counted.tokens > left) continue;
      seen.add(counted.message.content);
      left -= counted.tokens;
      late.unshift(counted);
    }
    const leading = log.entries.slice(0, log.start).filter(({ message }) => !isBlank(message));
    return [...leading.map((entry) => this.#countEntry(entry)), ...late];
  }

  #countEntry(entry: Entry): Counted {
    entry.tokens ??= this.#counter.message(entry.message);
    return { message: entry.message, tokens: entry.tokens };
  }

  #count(content: string): Counted<SystemMessage> {
    if (this.#prompt?.message.content === content) return this.#prompt;
    const message: SystemMessage = { role: "system", content };
    this.#prompt = { message, tokens: this.#counter.message(message) };
    return this.#prompt;
  }

  #countTools(tools: readonly ToolDefinition[]): number {
    if (tools.length === 0) return 0;
    return tools.reduce((sum, tool) => sum + this.#countTool(tool), this.#toolsOverhead);
  }

  #countTool(tool: ToolDefinition): number {
    const kept = this.#tools.get(tool);
    if (kept !== undefined) return kept;
    const tokens = this.#counter.tools([tool]) - this.#toolsOverhead;
    this.#tools.set(tool, tokens);
    return tokens;
  }
}
