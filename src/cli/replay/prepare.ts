/** What a replay needs before it starts: conversations, a model with its counter and prices, and the settings. */
import { configuredStrategy } from "../../config/configured.js";
import type { LoadedConfig } from "../../config/load-config.js";
import { VarveError } from "../../errors.js";
import type { TokenCounter } from "../../tokens/counter.js";
import { findModel } from "../../tokens/models.js";
import { resolveStrategy } from "../../view/strategies/registry.js";
import { nameOfFile, type RecordingFile } from "../recordings/read-file.js";
import type { Played } from "./compare.js";
import { RecordedSteps } from "./recorded-steps.js";
import {
  DEFAULT_THRESHOLDS,
  defaultWindows,
  type NamedStrategy,
  ordered,
  type Setting,
  settingsOf,
  type Thresholds,
} from "./setting.js";

/** The conversations of all files that have something to replay. */
export function playedOf(files: readonly RecordingFile[], counter: TokenCounter): Played[] {
  const played = files.flatMap(({ file, conversations }) =>
    conversations.map((conversation, at) => {
      const id = conversation.id ?? `${nameOfFile(file)}${at === 0 ? "" : `-${at + 1}`}`;
      return { file, id, recorded: new RecordedSteps(conversation, counter) };
    }),
  );
  const replayed = played.filter(({ recorded }) => recorded.steps.length > 0);
  if (replayed.length > 0) return replayed;
  throw new VarveError({
    code: "invalid-document",
    message: "The recordings hold nothing to replay: no message of an agent has anything before it.",
    hint: "Name recordings of conversations with an agent; `varve import` takes in the others too.",
  });
}

/** The model to count and to price with: the configured one, or the one that most of the conversations had. */
export function modelOf({ config: { model } }: LoadedConfig, files: readonly RecordingFile[]): string | undefined {
  if (model !== undefined) return model;
  const counts = new Map<string, number>();
  for (const { conversations } of files)
    for (const { model: recorded } of conversations)
      if (recorded !== undefined && findModel(recorded) !== undefined)
        counts.set(recorded, (counts.get(recorded) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Tokens that the configuration or the model lets a view have. */
export const windowOf = ({ config: { window } }: LoadedConfig, model: string | undefined): number | undefined =>
  window ?? modelWindow(model);

/** The largest window to compare: the model's, for a smaller one in the configuration may be what a comparison found. */
export const largestWindow = ({ config: { window } }: LoadedConfig, model: string | undefined): number | undefined =>
  modelWindow(model) ?? window;

function modelWindow(model: string | undefined): number | undefined {
  const known = model === undefined ? undefined : findModel(model);
  return known?.maxInput ?? known?.window;
}

const COMPARED = ["sliding-window", "summarization", "importance", "hierarchical"];

/** What to compare, where it was named. */
export interface Wishes {
  readonly strategies?: readonly string[] | undefined;
  readonly windows?: readonly number[] | undefined;
  readonly thresholds?: readonly Thresholds[] | undefined;
}

export interface Compared {
  /** Tokens of the longest history. */
  readonly longest: number;
  readonly largestWindow: number | undefined;
  /** The setting that holds where nothing is changed. */
  readonly present: Setting;
}

/** What was wished for, besides what there is already: the present setting, and the present strategy in the full window. */
export async function comparedSettings(loaded: LoadedConfig, wishes: Wishes, compared: Compared): Promise<Setting[]> {
  const { strategy } = loaded.config;
  const names = wishes.strategies ?? [...new Set([...COMPARED, ...(strategy === undefined ? [] : [strategy])])];
  const strategies: NamedStrategy[] = [];
  for (const name of names) strategies.push(await namedStrategy(loaded, name));
  const { longest, largestWindow: most, present } = compared;
  const windows = wishes.windows ?? defaultWindows(longest, most);
  const wished = settingsOf({ strategies, windows, thresholds: wishes.thresholds ?? DEFAULT_THRESHOLDS });
  return ordered([...wished, present, ...(most === undefined ? [] : [{ ...present, window: most }])]);
}

/** A strategy with the options that the configuration gives it, but with no model: nothing is paid for a replay. */
export async function namedStrategy(loaded: LoadedConfig, name: string): Promise<NamedStrategy> {
  const { config } = loaded;
  const { compressionModel: _model, ...own } = config.strategyOptions ?? {};
  const isOwn = name === config.strategy && config.strategyOptions !== undefined;
  const { strategyOptions: _options, ...rest } = config;
  const made = await configuredStrategy({
    ...loaded,
    config: { ...rest, strategy: name, ...(isOwn && { strategyOptions: own }) },
  });
  const strategy = made ?? name;
  resolveStrategy(strategy);
  return { name, strategy };
}
