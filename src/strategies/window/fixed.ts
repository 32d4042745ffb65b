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
  readonly late: LateSystem;
}

/** What became of the system messages from inside the conversation, as positions. Blank ones are in neither list. */
export interface LateSystem {
  readonly shown: readonly number[];
  readonly dropped: readonly number[];
}

/** Share of the usable tokens that system messages from inside the conversation may take together. */
const LATE_SHARE = 0.2;

/** Counts the locked blocks; what was counted for one view is kept for the next. */
export class FixedBlockCounter {
  readonly #counter: TokenCounter;
  #prompt: Counted<SystemMessage> | undefined;
  #tools: { list: readonly ToolDefinition[]; tokens: number } = { list: [], tokens: 0 };

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  measure(request: ViewRequest, log: Log, usable: number): FixedBlocks {
    const { messages: late, ...places } = this.#late(log, usable * LATE_SHARE);
    const prompt = /\S/.test(request.system ?? "") ? [this.#count(request.system!)] : [];
    const leading = log.entries.slice(0, log.start).filter(({ message }) => !isBlank(message));
    const system = [...prompt, ...leading.map((entry) => this.#countEntry(entry)), ...late];
    return {
      messages: system.map(({ message }) => message),
      system: system.reduce((sum, { tokens }) => sum + tokens, 0),
      tools: this.#countTools(request.tools ?? []),
      late: places,
    };
  }

  /**
   * The system messages from inside the conversation. They stand behind those at its start, since most providers take
   * system messages there only. Repeats are shown once, and the newest go first where room is short.
   */
  #late(log: Log, room: number): LateSystem & { messages: Counted[] } {
    const found = { messages: [] as Counted[], shown: [] as number[], dropped: [] as number[] };
    const seen = new Set<unknown>();
    let left = room;
    for (const at of log.lateSystem.toReversed()) {
      const counted = this.#countEntry(log.entries[at]!);
      const { content } = counted.message;
      if (isBlank(counted.message)) continue;
      if (!seen.has(content) && counted.tokens > left) found.dropped.unshift(at);
      else found.shown.unshift(at);
      if (seen.has(content) || counted.tokens > left) continue;
      seen.add(content);
      left -= counted.tokens;
      found.messages.unshift(counted);
    }
    return found;
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
    const { list } = this.#tools;
    const same = list.length === tools.length && list.every((tool, at) => tool === tools[at]);
    if (!same) this.#tools = { list: [...tools], tokens: this.#counter.tools(tools) };
    return this.#tools.tokens;
  }
}
