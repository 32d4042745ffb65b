import type { MemoryList, MemoryListOptions } from "../../../memory/listing.js";
import type { ScopedMemory } from "../../../memory/scoped-memory.js";
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
    const page = await withMemory(
      options,
      (memory) => fullPage(memory, { limit, superseded, ...(after && { after }) }),
      { uses: [] },
    );
    const data: Output<"memory list"> = { memories: page.memories.map(memoryData), next: page.next ?? null };
    const lines = () => {
      if (data.memories.length === 0) say("No memories.");
      if (data.next !== null) say(`There are more: --after ${data.next}`);
      return data.memories.flatMap((one) => memoryLines(one, screen));
    };
    return { data, lines };
  },
});

type Page = MemoryListOptions & { readonly limit: number };

/** The memory lists what is left of so many; people want so many, and a mark where there are more. */
async function fullPage(memory: ScopedMemory, { limit, ...options }: Page): Promise<MemoryList> {
  let { memories, next } = await memory.list({ ...options, limit });
  while (memories.length < limit && next !== undefined) {
    const more: MemoryList = await memory.list({ ...options, limit: limit - memories.length, after: next });
    memories = [...memories, ...more.memories];
    next = more.next;
  }
  return { memories, next: (await isLast(memory, options, next)) ? undefined : next };
}

async function isLast(memory: ScopedMemory, options: MemoryListOptions, after: string | undefined): Promise<boolean> {
  for (let next = after; next !== undefined; ) {
    const page: MemoryList = await memory.list({ ...options, after: next, limit: PAGE });
    if (page.memories.length > 0) return false;
    next = page.next;
  }
  return true;
}
