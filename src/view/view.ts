import type { Repair } from "../message/repair.js";
import type { AnyTool, Message, ToolDefinition } from "../message/types.js";
import type { Block } from "./block.js";
import type { Budget } from "./budget.js";
import type { Plan } from "./plan.js";
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
  /** What the view was made by, as plain data. */
  readonly plan: Plan;
}
