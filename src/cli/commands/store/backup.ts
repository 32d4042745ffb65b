import { resolve } from "node:path";
import { defineCommand } from "../../command.js";
import { type StoreOptions, withStore } from "../../open.js";
import type { Output } from "../../output/schemas.js";
import { cannot } from "../../store-faults.js";

const EXAMPLES = `
Examples:
  varve store backup ../varve-2026-11-18.db
  varve store verify --store sqlite:../varve-2026-11-18.db`;

const DUMP =
  "Use pg_dump with the schema of the store, such as pg_dump --schema=varve; or `varve session export --all` and `varve memory export`.";

/** A copy that shows one state, also while others write. */
export const command = defineCommand<StoreOptions>({
  shares: ["store"],
  define: (command) => {
    command
      .argument("<target>", "where the copy goes: a path where there is nothing yet")
      .addHelpText("after", EXAMPLES);
  },
  async run({ options, operands: [target = ""] }) {
    await withStore(options, (store) => {
      if (store.backup === undefined) throw cannot(store, "backup", DUMP);
      return store.backup(target);
    });
    const data: Output<"store backup"> = { target: resolve(target) };
    return { data, lines: () => [` Copied to ${data.target}.`] };
  },
});
