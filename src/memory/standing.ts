import type { MemorySource } from "./trust/source.js";

const STANDING: Readonly<Record<MemorySource, number>> = { user: 2, agent: 1, tool: 0, import: 0 };

/** Whether words of one source are to be believed before those of another. */
export const isBetter = (source: MemorySource, than: MemorySource): boolean => STANDING[source] > STANDING[than];
