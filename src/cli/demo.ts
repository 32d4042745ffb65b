import { type Command, InvalidArgumentError, Option } from "commander";
import type { DemoOptions } from "./demo/run-demo.js";

/** `varve demo`: a first look, with no key and no network. */
export function registerDemo(program: Command): void {
  program
    .command("demo")
    .description("watch varve keep a coding agent's session inside a small window; needs no key and no network")
    .helpOption("-h, --help", "show this help")
    .option("--window <tokens>", "size of the model's window", parseTokens, 8_000)
    .option("--strategy <name>", "how views are made", "sliding-window")
    .addOption(
      new Option("--speed <speed>", "how fast it runs on a terminal")
        .choices(["slow", "normal", "fast", "instant"])
        .default("normal"),
    )
    .option("--json", "print one JSON document instead")
    .option("--no-color", "print no colours (NO_COLOR and FORCE_COLOR are honoured too)")
    .action(async (options: DemoOptions) => {
      const { runDemo } = await import("./demo/run-demo.js");
      await runDemo(options, process.stdout);
    });
}

function parseTokens(text: string): number {
  const tokens = /^\d[\d_,]*$/.test(text) ? Number(text.replace(/[_,]/g, "")) : 0;
  if (tokens < 1) throw new InvalidArgumentError("Give a number of tokens from 1, such as 8000.");
  return tokens;
}
