import { defineCommand } from "../../command.js";
import { type StoreOptions, withStore } from "../../open.js";
import type { Output } from "../../output/schemas.js";
import { faultData, faultLines, heldWords, verified } from "../../store-faults.js";
import { countOf } from "../../terminal/format.js";

const EXAMPLES = `
Examples:
  varve store verify                        the configured store
  varve store verify --store sqlite:old.db  another one
  varve store verify --json                 for programs; the exit code is 1 where something is damaged`;

/** Says what is damaged, and changes nothing. */
export const command = defineCommand<StoreOptions>({
  shares: ["store"],
  define: (command) => {
    command.addHelpText("after", EXAMPLES);
  },
  async run({ options }) {
    const { faults: found, ...held } = await withStore(options, verified);
    const faults = found.map(faultData);
    const data: Output<"store verify"> = { ...held, faults };
    return {
      data,
      exitCode: faults.length === 0 ? 0 : 1,
      lines: (screen) =>
        faults.length === 0
          ? [` All is as it was written: ${heldWords(held)}.`]
          : [
              ` Read ${heldWords(held)}; ${countOf(faults.length, "fault")}:`,
              ...faultLines(faults, screen),
              " `varve store repair` makes a backup and keeps the rest.",
            ],
    };
  },
});
