import { defineCommand } from "../../command.js";
import { type MemoryChoice, scopeOptions, withMemory } from "../../memory-scope.js";
import type { Output } from "../../output/schemas.js";
import { parseCount, parseShare, parseTokens } from "../../shared-options.js";
import { memoryData, memoryLines } from "./memory-data.js";

interface SearchOptions extends MemoryChoice {
  readonly limit?: number;
  readonly maxTokens?: number;
  readonly asOf?: string;
  readonly superseded?: boolean;
  readonly threshold?: number;
}

export const command = defineCommand<SearchOptions>({
  shares: ["store"],
  define: (command) => {
    scopeOptions(command)
      .argument("<question>", "what is asked")
      .option("--limit <memories>", "memories to find at most; 10 unless given", parseCount)
      .option("--max-tokens <tokens>", "as many of the best as fit", parseTokens)
      .option("--as-of <time>", "what was known and held at that time, such as 2025-06-01")
      .option("--superseded", "also what no longer holds")
      .option("--threshold <share>", "the least similarity, from 0 to 1", parseShare);
  },
  async run({ options, operands: [query = ""], screen, say }) {
    const { limit, maxTokens, asOf, superseded, threshold } = options;
    const found = await withMemory(options, (memory) =>
      memory.retrieve(query, {
        ...(limit && { limit }),
        ...(maxTokens && { maxTokens }),
        ...(asOf && { asOf }),
        ...(superseded && { superseded }),
        ...(threshold !== undefined && { similarityThreshold: threshold }),
      }),
    );
    const data: Output<"memory search"> = {
      query,
      memories: found.map((one) => ({
        ...memoryData(one),
        score: one.score,
        similarity: one.similarity,
        evidence: { ...one.evidence },
      })),
    };
    const lines = () => {
      if (data.memories.length === 0) say("Nothing found.");
      return data.memories.flatMap((one) => memoryLines(one, screen, one.score.toFixed(2)));
    };
    return { data, lines };
  },
});
