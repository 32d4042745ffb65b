import type { VarveError } from "../../errors.js";
import { modelFacts } from "../../memory/facts/model-facts.js";
import type { ScopedMemory } from "../../memory/scoped-memory.js";
import type { LanguageModel } from "../../model/language-model.js";

export interface ExtractionPorts {
  readonly memoryModel: LanguageModel;
  readonly warn: (warning: VarveError) => void;
}

/**
 * Adds what a model finds in memories to what the rules have found; returns the ids of the memories that it ends. The
 * model gets the texts as they are stored, without secrets; where it fails, whoever listens is told.
 */
export async function extractFacts(
  ids: readonly string[],
  memory: ScopedMemory,
  { memoryModel, warn }: ExtractionPorts,
): Promise<readonly string[]> {
  const memories = await memory.getMany(ids);
  if (memories.length === 0) return [];
  const passages = memories.map(({ content: text, source, speaker }) => ({ text, source, speaker }));
  const { facts, failures } = await modelFacts(memoryModel, passages);
  for (const failure of failures) warn(failure);
  const ended = await memory.addFacts(memories.map(({ id }, at) => ({ id, facts: facts[at] ?? [] })));
  return ended.map(({ id }) => id);
}
