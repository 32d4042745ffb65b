import type { ViewRequest } from "../../compaction/view.js";
import { isBlank } from "../../message/content.js";
import type { Entry } from "../../message/entry.js";
import type { Log } from "../../message/log.js";
import type { AnyTool, Message, SystemMessage } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { Counted } from "./counted.js";
import { type LateSystem, LateSystemMessages } from "./late-system.js";

/** The blocks that stand in front of the history: the system prompt and the tools. They are locked. */
export interface FixedBlocks {
  readonly messages: readonly Message[];
  readonly system: number;
  readonly tools: number;
  readonly late: LateSystem;
}

/** Share of the usable tokens that system messages from inside the conversation may take together. */
const LATE_SHARE = 0.2;

/** Counts the locked blocks; what was counted for one view is kept for the next. */
export class FixedBlockCounter {
  readonly #counter: TokenCounter;
  #prompt: Counted<SystemMessage> | undefined;
  #late: LateSystemMessages | undefined;
  #tools: { list: readonly AnyTool[]; tokens: number } = { list: [], tokens: 0 };

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  measure(request: ViewRequest, log: Log, usable: number): FixedBlocks {
    const late = this.#lateIn(log, usable * LATE_SHARE);
    const prompt = /\S/.test(request.system ?? "") ? [this.#count(request.system!)] : [];
    const leading = log.entries.slice(0, log.start).filter(({ message }) => !isBlank(message));
    const system = [...prompt, ...leading.map((entry) => this.#countEntry(entry)), ...late.update()];
    return {
      messages: system.map(({ message }) => message),
      system: system.reduce((sum, { tokens }) => sum + tokens, 0),
      tools: this.#countTools(request.tools ?? []),
      late,
    };
  }

  #lateIn(log: Log, room: number): LateSystemMessages {
    if (this.#late?.log !== log || this.#late.room !== room)
      this.#late = new LateSystemMessages(log, this.#counter, room);
    return this.#late;
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

  #countTools(tools: readonly AnyTool[]): number {
    const { list } = this.#tools;
    const same = list.length === tools.length && list.every((tool, at) => tool === tools[at]);
    if (!same) this.#tools = { list: [...tools], tokens: this.#counter.tools(tools) };
    return this.#tools.tokens;
  }
}
