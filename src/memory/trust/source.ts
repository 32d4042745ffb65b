/** Who a memory's words come from. Only what the user and the agent said may change what is known of them. */
export type MemorySource = "user" | "agent" | "tool" | "import";

/** Whether words of this source may be read as somebody's preference, decision or present state. */
export const speaksForItself = (source: MemorySource): boolean => source === "user" || source === "agent";

export const SOURCES: readonly string[] = ["user", "agent", "tool", "import"] satisfies readonly MemorySource[];
