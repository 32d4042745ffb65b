import { VarveError } from "../../../errors.js";
import type { Store } from "../../../store/store.js";
import { defineCommand } from "../../command.js";
import { type StoreOptions, withStore } from "../../open.js";
import type { Output } from "../../output/schemas.js";
import { cannot, faultData, faultLines, verified } from "../../store-faults.js";
import { countOf } from "../../terminal/format.js";

interface RepairOptions extends StoreOptions {
  readonly dryRun?: boolean;
}

const EXAMPLES = `
Examples:
  varve store repair --dry-run  what would be lost
  varve store repair            a backup first, then everything that is intact in a store that is well

End the programs that use the store first.`;

const RESTORE = "Restore the server's backup (pg_restore), or delete what is damaged with `varve session delete`.";

/** Keeps everything intact, and says what is gone. */
export const command = defineCommand<RepairOptions>({
  shares: ["store"],
  define: (command) => {
    command.option("--dry-run", "only say what is damaged").addHelpText("after", EXAMPLES);
  },
  async run({ options }) {
    const repaired = async (store: Store): Promise<Output<"store repair">> => {
      if (store.repair === undefined) throw cannot(store, "repair", RESTORE);
      const { faults } = await verified(store);
      if (options.dryRun || faults.length === 0) return { backup: null, faults: faults.map(faultData) };
      const report = await store.repair();
      return { backup: report.backup, faults: report.faults.map(faultData) };
    };
    const data = await withStore(options, repaired, { salvages: true });
    if (data.backup !== null) await checkWell(options, data.backup);
    const { backup, faults } = data;
    const count = countOf(faults.length, "fault");
    const end = backup === null ? `Nothing was changed.` : `The store as it was: ${backup}`;
    return {
      data,
      exitCode: backup === null && faults.length > 0 ? 1 : 0,
      lines: (screen) =>
        faults.length === 0
          ? [" All is as it was written: there is nothing to repair."]
          : [` ${backup === null ? count : `Repaired. ${count}`}:`, ...faultLines(faults, screen), ` ${end}`],
    };
  },
});

async function checkWell(options: StoreOptions, backup: string): Promise<void> {
  const { faults } = await withStore(options, verified);
  if (faults.length === 0) return;
  throw new VarveError({
    code: "store-damaged",
    message: `The store is still damaged: ${faults[0]!.message}`,
    hint: `The store as it was is at ${backup}; export what can be read with \`varve session export --all\`.`,
    details: { backup, faults: faults.map(({ message }) => message) },
  });
}
