import { type Command, InvalidArgumentError } from "commander";
import type { SharedOptions } from "./command.js";

/** The options that a group of them stands for. */
export const SHARED: Readonly<Record<SharedOptions, (command: Command) => void>> = {
  store: (command) =>
    command
      .option("--store <address>", "where sessions are kept: sqlite:PATH, file:FOLDER or postgres://…")
      .option("--config <file>", "the varve.json to read instead of the project's")
      .option("--set <path=value>", "any setting of varve.json, such as memory.enabled=true", collect)
      .option("--trust", "trust what the project's varve.json asks for, and a store that came with it, for this call"),
  session: (command) => command.option("-s, --session <id>", "the session; the one changed last unless given"),
  window: (command) =>
    command
      .option("--model <name>", "names the model: its window and its tokenizer")
      .option("--window <tokens>", "tokens that the model takes in one request", parseTokens)
      .option("--strategy <name>", "how views are made"),
};

/** Options that all commands have. */
export const commonOptions = (command: Command): Command =>
  command
    .option("--json", "print one JSON document instead")
    .option("--no-color", "print no colours (NO_COLOR and FORCE_COLOR are honoured too)");

/** The values of an option that may be repeated. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export function parseTokens(text: string): number {
  const tokens = /^\d[\d_,]*$/.test(text) ? Number(text.replace(/[_,]/g, "")) : 0;
  if (tokens < 1) throw new InvalidArgumentError("Give a number of tokens from 1, such as 8000.");
  return tokens;
}

export function parseCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count < 1) throw new InvalidArgumentError("Give a whole number from 1.");
  return count;
}

export function parseOffset(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("Give a whole number from 0.");
  return Number(text);
}

export function parseShare(text: string): number {
  const share = text.trim() === "" ? Number.NaN : Number(text);
  if (!(share >= 0 && share <= 1)) throw new InvalidArgumentError("Give a number from 0 to 1, such as 0.6.");
  return share;
}
