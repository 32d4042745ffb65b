import { defineCommand } from "../../command.js";
import type { StoreOptions } from "../../open.js";
import { withVarve } from "../../open-session.js";
import type { Output } from "../../output/schemas.js";
import { countOf, formatPercent } from "../../terminal/format.js";

export const command = defineCommand<StoreOptions>({
  shares: ["store"],
  async run({ options, say }) {
    const started = performance.now();
    let told = 0;
    const data: Output<"memory embed"> = await withVarve(options, (varve) =>
      varve.embed({
        onProgress: ({ done, total }) => {
          const passed = performance.now() - started;
          if (passed - told < 1_000 || done === 0) return;
          told = passed;
          say(`${formatPercent(done / total)}, ${Math.ceil((passed / done) * (total - done) * 1e-3)} s left`);
        },
      }),
    );
    return {
      data,
      lines: () => [` ${countOf(data.done, "memory has", "memories have")} vectors of the embedder in use.`],
    };
  },
});
