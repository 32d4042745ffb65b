import type { Repair } from "../message/repair.js";
import type { AnyTool, Message, ToolDefinition } from "../message/types.js";
import type { Budget } from "./budget.js";
import type { Recalled } from "./recalled.js";
import type { Receipt } from "./receipt.js";

/** What the caller adds to a view beyond the log. */
export interface ViewRequest<Tool extends AnyTool = ToolDefinition> {
  readonly system?: string;
  readonly tools?: readonly Tool[];
  /** Retrieved knowledge or the current goal: shown as data in front of the latest user message. */
  readonly context?: string;
  /**
   * Whether the provider's cache still holds the view before. On a cold cache a cut costs nothing but what it leaves
   * out, so one may be made before the window demands it.
   */
  readonly cache?: "warm" | "cold";
}

export type BlockName = "system" | "tools" | "context" | "memory" | "history";

/** One part of a view, in order of priority: a part gives way only to those before it. */
export interface Block {
  readonly name: BlockName;
  readonly tokens: number;
  /** In the block "memory": the memories among it, where there are some. Of all they are the first to give way. */
  readonly recalled?: Recalled;
}

/** What is sent to the model. Its tools are those of the request, in the shape that they have there. */
export interface View<Tool extends AnyTool = ToolDefinition> {
  readonly messages: Message[];
  readonly tools: Tool[];
  readonly tokens: number;
  readonly blocks: readonly Block[];
  readonly budget: Budget;
  /** Entries that were left out to fit the window, of how many. */
  readonly leftOut: number;
  readonly entries: number;
  /** The account of the reduction that this view made; undefined where it only grew. */
  readonly receipt: Receipt | undefined;
  /** What had to be mended in the entries shown. */
  readonly repairs: readonly Repair[];
}
