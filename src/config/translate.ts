/** What a `context_management` object asks for, in varve's words. Its schema stands apart, for it takes a while to load. */

export const STRATEGIES = {
  sliding_window: "sliding-window",
  summarization: "summarization",
  importance_based: "importance",
  hierarchical: "hierarchical",
} as const;

/** The object as its schema has it. */
export interface ContextManagement {
  readonly strategy?: keyof typeof STRATEGIES | undefined;
  readonly max_messages?: number | undefined;
  readonly summarize_threshold?: number | undefined;
  readonly importance_threshold?: number | undefined;
  readonly checkpoint_interval_messages?: number | undefined;
  readonly semantic_memory?: SemanticMemory | undefined;
}

interface SemanticMemory {
  readonly enabled?: boolean | undefined;
  readonly embedding_model?: string | undefined;
  readonly vector_store?: string | undefined;
  readonly similarity_threshold?: number | undefined;
}

/** One setting and the key that it was translated from. */
export interface Translated {
  readonly path: string;
  readonly value: unknown;
  readonly from: string;
}

/** Vectors lie where memories lie; these names say just that. */
const OWN_VECTORS = new Set(["sqlite", "postgres", "postgresql", "pgvector", "memory", "built-in"]);

/** What a `context_management` object says, in varve's words, and what it asks for that varve does in another way. */
export function translateContextManagement(given: ContextManagement): {
  readonly settings: readonly Translated[];
  readonly notes: readonly string[];
} {
  const { strategy, importance_threshold: score, checkpoint_interval_messages: interval, semantic_memory = {} } = given;
  const scores = strategy === "importance_based";
  const settings: readonly (Translated | undefined)[] = [
    translated("strategy", strategy && STRATEGIES[strategy], "strategy"),
    entriesLimit(given),
    translated("strategyOptions.threshold", scores ? score : undefined, "importance_threshold"),
    translated("checkpointEvery", interval, "checkpoint_interval_messages"),
    ...memorySettings(semantic_memory),
  ];
  const idle = score === undefined || scores ? [] : ["importance_threshold is read by importance_based alone."];
  return { settings: settings.filter((each) => each !== undefined), notes: [...idle, ...notesOn(semantic_memory)] };
}

function entriesLimit(given: ContextManagement): Translated | undefined {
  const { strategy, max_messages: most, summarize_threshold: above } = given;
  const isShorter = strategy !== "sliding_window" && above !== undefined && above <= (most ?? above);
  const [value, from] = isShorter ? [above, "summarize_threshold"] : [most, "max_messages"];
  return translated("strategyOptions.after.entries", value, from);
}

function memorySettings(memory: SemanticMemory): (Translated | undefined)[] {
  const { enabled, embedding_model: model, similarity_threshold: similarity } = memory;
  return [
    translated("memory.enabled", enabled, "semantic_memory.enabled"),
    translated("embedder", model && { model }, "semantic_memory.embedding_model"),
    translated("memory.similarityThreshold", similarity, "semantic_memory.similarity_threshold"),
  ];
}

function notesOn({ vector_store: store }: SemanticMemory): string[] {
  if (store === undefined || OWN_VECTORS.has(store)) return [];
  return [`semantic_memory.vector_store is "${store}": vectors are kept in the store of the sessions instead.`];
}

const translated = (path: string, value: unknown, from: string): Translated | undefined =>
  value === undefined ? undefined : { path, value, from: `context_management.${from}` };
