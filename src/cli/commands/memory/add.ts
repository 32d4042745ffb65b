import { Option } from "commander";
import { defineCommand } from "../../command.js";
import { type MemoryChoice, scopeOptions, withMemory } from "../../memory-scope.js";
import type { Output } from "../../output/schemas.js";
import { countOf } from "../../terminal/format.js";
import { textFrom } from "../../text-input.js";

interface AddOptions extends MemoryChoice {
  readonly id?: string;
  readonly at?: string;
  readonly speaker?: string;
  readonly source: "user" | "agent" | "tool" | "import";
}

export const command = defineCommand<AddOptions>({
  shares: ["store"],
  define: (command) => {
    scopeOptions(command, "a tag to store it with")
      .argument("<text>", "what to remember; - for stdin")
      .option("--id <id>", "a name of your own; storing it again replaces the memory")
      .option("--at <time>", "when it was said, such as 2026-03-01; now unless given")
      .option("--speaker <name>", "who said it, where it is part of a conversation")
      .addOption(
        new Option("--source <kind>", "where it comes from")
          .choices(["user", "agent", "tool", "import"])
          .default("user"),
      );
  },
  async run({ options, operands: [text = "-"] }) {
    const { id, at, speaker, source, tag = [] } = options;
    const details = { source, tags: tag, ...(id && { id }), ...(at && { at }), ...(speaker && { speaker }) };
    const content = await textFrom(text);
    const owners = { ...options, tag: [] };
    const receipt = await withMemory(owners, (memory) => memory.store(content, details), { create: true });
    const data: Output<"memory add"> = {
      id: receipt.id,
      status: receipt.status,
      reason: receipt.reason ?? null,
      superseded: receipt.superseded.map((ended) => ({ ...ended })),
      redacted: [...receipt.redacted],
    };
    return { data, lines: () => lines(data), ...(data.status === "refused" && { exitCode: 1 }) };
  },
});

function lines({ id, status, reason, superseded, redacted }: Output<"memory add">): string[] {
  const known = status === "merged" ? " Known already, as" : " Stored as";
  return [
    status === "refused" ? ` Nothing was stored. ${reason}` : `${known} ${id}.`,
    ...superseded.map(({ id: old, slot, value }) => ` ${slot} is no longer ${value} (${old}).`),
    ...(redacted.length === 0 ? [] : [` ${countOf(redacted.length, "secret")} masked: ${redacted.join(", ")}.`]),
  ];
}
