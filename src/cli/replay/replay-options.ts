import { type Command, InvalidArgumentError } from "commander";
import { VarveError } from "../../errors.js";
import type { SessionChoice } from "../open.js";
import type { FormatOption } from "../recordings/format-option.js";
import { parseShare, parseTokens } from "../shared-options.js";
import type { Thresholds } from "./setting.js";

export interface ReplayOptions extends SessionChoice, FormatOption {
  readonly trigger?: number;
  readonly target?: number;
  readonly compare?: boolean;
  readonly strategies?: readonly string[];
  readonly windows?: readonly number[];
  readonly thresholds?: readonly Thresholds[];
  readonly apply?: boolean;
  readonly html?: string;
}

export function replayOptions(command: Command): void {
  command
    .option("--trigger <share>", "share of the window above which a view is reduced", parseShare)
    .option("--target <share>", "share of the window that a reduction aims for", parseShare)
    .option("--compare", "compare strategies, windows and thresholds, and recommend a setting")
    .option("--strategies <names>", "those to compare, such as hierarchical,sliding-window", parseNames)
    .option("--windows <tokens>", "those to compare, such as 16000,64000", parseList(parseTokens))
    .option("--thresholds <pairs>", "triggers and targets to compare, such as 1/0.75,0.8/0.5", parseList(parsePair))
    .option("--apply", "write the recommended setting into varve.json")
    .option("--html <file>", "write a page with the curves");
}

const parseNames = (text: string): string[] => {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  if (names.length === 0) throw new InvalidArgumentError("Give names with commas between them.");
  return [...new Set(names)];
};

const parseList =
  <T>(parse: (text: string) => T) =>
  (text: string): T[] =>
    parseNames(text).map(parse);

/** "0.8/0.5", "0.8", or "default" for varve's own. */
function parsePair(text: string): Thresholds {
  if (text === "default") return {};
  const [trigger = Number.NaN, target] = text.split("/").map((share) => parseShare(share));
  const isSound = trigger > 0 && (target === undefined || (target > 0 && target <= trigger));
  if (!isSound || text.split("/").length > 2)
    throw new InvalidArgumentError("Give a trigger, or a trigger and a target not above it, such as 0.8/0.5.");
  return { trigger, ...(target !== undefined && { target }) };
}

const OF_A_COMPARISON = ["strategies", "windows", "thresholds", "apply", "html"] as const;

/** Refuses what only a comparison can do, and what it does not look at. */
export function checkReplayOptions(options: ReplayOptions): void {
  const { compare, window, strategy, trigger, target } = options;
  const lone = OF_A_COMPARISON.find((name) => options[name] !== undefined);
  if (!compare && lone !== undefined) throw misplaced(`--${lone}`, "Add --compare.");
  if (!compare) return;
  if (strategy !== undefined) throw misplaced("--strategy", "With --compare, name --strategies.");
  if (trigger !== undefined || target !== undefined)
    throw misplaced("--trigger or --target", "With --compare, name pairs with --thresholds, such as 0.8/0.5.");
  if (window !== undefined && options.windows !== undefined)
    throw misplaced("--window", "Name all windows with --windows.");
}

const misplaced = (option: string, hint: string): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `${option} does not go with the other options.`,
    hint,
    details: { option },
  });
