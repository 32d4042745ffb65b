import { Option } from "commander";
import { STRATEGY_NAMES } from "../../config/strategy-names.js";
import { DEFAULT_STRATEGY } from "../../view/strategies/default-strategy.js";
import { defineCommand } from "../command.js";
import type { DemoOptions } from "../demo/run-demo.js";
import { parseTokens } from "../shared-options.js";

/** Entities would need a schema of what is talked about. */
const STRATEGIES = STRATEGY_NAMES.filter((name) => name !== "entities");

/** `varve demo`: a first look, with no key and no network. */
export const command = defineCommand<DemoOptions>({
  define: (command) => {
    command
      .option("--window <tokens>", "size of the model's window", parseTokens, 8_000)
      .addOption(new Option("--strategy <name>", "how views are made").choices(STRATEGIES).default(DEFAULT_STRATEGY))
      .addOption(
        new Option("--speed <speed>", "how fast it runs on a terminal")
          .choices(["slow", "normal", "fast", "instant"])
          .default("normal"),
      );
  },
  async run({ options }) {
    const { runDemo } = await import("../demo/run-demo.js");
    await runDemo(options, process.stdout);
    return { data: {}, lines: () => [], written: true };
  },
});
