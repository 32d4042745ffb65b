import type { Recalled } from "./recalled.js";

export type BlockName = "system" | "tools" | "context" | "memory" | "history";

/** One part of a view, in order of priority: a part gives way only to those before it. */
export interface Block {
  readonly name: BlockName;
  readonly tokens: number;
  /** In the block "memory": the memories among it, where there are some. Of all they are the first to give way. */
  readonly recalled?: Recalled;
}
