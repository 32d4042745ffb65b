import { defineCommand } from "../../command.js";
import { type MemoryChoice, scopeOptions, withMemory } from "../../memory-scope.js";
import type { Output } from "../../output/schemas.js";
import { parseCount } from "../../shared-options.js";
import { memoryData, memoryLines } from "./memory-data.js";

interface ListOptions extends MemoryChoice {
  readonly limit: number;
  readonly after?: string;
  readonly superseded?: boolean;
}

const PAGE = 50;

export const command = defineCommand<ListOptions>({
  shares: ["store"],
  define: (command) => {
    scopeOptions(command)
      .option("--limit <memories>", "memories on a page", parseCount, PAGE)
      .option("--after <mark>", "the page after this mark, as the one before gave it")
      .option("--superseded", "also former versions and what no longer holds");
  },
  async run({ options, screen, say }) {
    const { limit, after, superseded = false } = options;
    const page = await withMemory(options, (memory) => memory.list({ limit, superseded, ...(after && { after }) }));
    const data: Output<"memory list"> = { memories: page.memories.map(memoryData), next: page.next ?? null };
    const lines = () => {
      if (data.memories.length === 0) say("No memories.");
      if (data.next !== null) say(`There are more: --after ${data.next}`);
      return data.memories.flatMap((one) => memoryLines(one, screen));
    };
    return { data, lines };
  },
});
