import { defineCommand } from "../../command.js";
import { type MemoryChoice, scopeOptions, withMemory } from "../../memory-scope.js";
import type { Output } from "../../output/schemas.js";
import { factLines } from "../../output/tables.js";

interface AuditCommandOptions extends MemoryChoice {
  readonly mend?: boolean;
  readonly removeJunk?: boolean;
}

export const command = defineCommand<AuditCommandOptions>({
  shares: ["store"],
  define: (command) => {
    scopeOptions(command)
      .option("--mend", "merge duplicates, close what is stale, remove leftovers")
      .option("--remove-junk", "forget texts that tell nothing");
  },
  async run({ options, screen }) {
    const { mend = false, removeJunk = false } = options;
    const { mended, examples, ...counts } = await withMemory(options, (memory) => memory.audit({ mend, removeJunk }));
    const data: Output<"memory audit"> = {
      ...counts,
      mended: mended === undefined ? null : { ...mended },
      examples: Object.fromEntries(Object.entries(examples).map(([kind, ids]) => [kind, [...ids]])),
    };
    const shown = Object.entries(counts).map(
      ([name, count]) => [name, withExamples(count, data.examples[name])] as const,
    );
    const after =
      mended === undefined
        ? []
        : Object.entries(mended).map(([name, count]) => [`mended ${name}`, String(count)] as const);
    return { data, lines: () => factLines([...shown, ...after], screen) };
  },
});

const withExamples = (count: number, ids: readonly string[] = []): string =>
  ids.length === 0 ? String(count) : `${count} (${ids.slice(0, 3).join(", ")}${ids.length > 3 ? ", …" : ""})`;
