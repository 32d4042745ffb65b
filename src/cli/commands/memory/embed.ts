import type { EmbedProgress } from "../../../memory/embedding.js";
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
    const onProgress = ({ done, total }: EmbedProgress) => {
      const passed = performance.now() - started;
      if (passed - told < 1_000 || done === 0) return;
      told = passed;
      say(`${formatPercent(done / total)}, ${Math.ceil((passed / done) * (total - done) * 1e-3)} s left`);
    };
    const data: Output<"memory embed"> = await withVarve(options, (varve) => varve.embed({ onProgress }), {
      uses: ["embedder"],
    });
    return {
      data,
      lines: () => [` ${countOf(data.done, "memory has", "memories have")} vectors of the embedder in use.`],
    };
  },
});
