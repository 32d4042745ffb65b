import { z } from "zod";
import { modelSummariser } from "../digest/model-summariser.js";
import { describeValue, VarveError } from "../errors.js";
import type { LanguageModel } from "../model/language-model.js";
import { type EntitiesOptions, entities } from "../strategies/entities/entities.js";
import { type HierarchicalOptions, hierarchical } from "../strategies/hierarchical/hierarchical.js";
import { type ImportanceOptions, importance } from "../strategies/importance/importance.js";
import { type SlidingWindowOptions, slidingWindow } from "../strategies/sliding-window/sliding-window.js";
import type { Strategy } from "../strategies/strategy.js";
import { type SummarizationOptions, summarization } from "../strategies/summarization/summarization.js";
import { checkFields } from "./check-fields.js";
import type { PluginFile } from "./read-plugin.js";

/** Finds the model that a plug-in names. */
export type FindModel = (name: string) => LanguageModel;

const number = z.number().optional();
const window = { window: number, model: z.string().optional(), reserve: number, trigger: number, target: number };
const tail = { lockLast: number, resultShare: number };
const digests = { digestShare: number, largestLeafShare: number, fanout: number, trimShare: number };
const prose = { compressionModel: z.string().optional() };
const after = z.strictObject({ turns: number, entries: number, tokens: number }).optional();
const thresholds = { after, threshold: number, keepLastTurns: number };
const json = z.record(z.string(), z.unknown());

interface Standard {
  readonly config: z.ZodType<Readonly<Record<string, unknown>>>;
  readonly create: (options: object, model: LanguageModel | undefined) => Strategy;
}

const summarised = (options: object, model: LanguageModel | undefined): object =>
  model === undefined ? options : { ...options, summariser: modelSummariser(model) };

/** The checks below have made the options what the strategies take. */
const STANDARD: Readonly<Record<string, Standard>> = {
  "sliding-window": {
    config: z.strictObject({ ...window, ...tail, clearResults: z.boolean().optional() }),
    create: (options) => slidingWindow(options as SlidingWindowOptions),
  },
  summarization: {
    config: z.strictObject({ ...window, ...tail, ...prose, ...thresholds, summaryShare: number }),
    create: (options, model) => summarization(summarised(options, model) as SummarizationOptions),
  },
  importance: {
    config: z.strictObject({ ...window, ...tail, ...digests, ...prose, threshold: number, keptShare: number }),
    create: (options, model) => importance(summarised(options, model) as ImportanceOptions),
  },
  hierarchical: {
    config: z.strictObject({ ...window, ...tail, ...digests, ...prose }),
    create: (options, model) => hierarchical(summarised(options, model) as HierarchicalOptions),
  },
  entities: {
    config: z.strictObject({ ...window, ...prose, schema: json, keepTurns: number, initial: json.optional() }),
    create: (options, extractor) => entities({ ...options, ...(extractor && { extractor }) } as EntitiesOptions),
  },
};

const NAMES = new Map([
  ...Object.keys(STANDARD).flatMap((name): [string, string][] => [
    [name, name],
    [`std-${name}-strategy`, name],
  ]),
  ["std-entity-extraction-strategy", "entities"],
]);

/** The strategy that comes with varve under a plug-in's id, made by its config; undefined where the id is none of them. */
export function standardStrategy(plugin: PluginFile, find: FindModel | undefined): (() => Strategy) | undefined {
  const standard = STANDARD[NAMES.get(plugin.pluginId) ?? ""];
  if (standard === undefined) return undefined;
  const { config = {}, file } = plugin;
  const checked = checkFields(standard.config, config, { file, path: "contextStrategy.config" });
  const { compressionModel, ...options } = checked;
  const model = compressionModel === undefined ? undefined : modelOf(String(compressionModel), plugin, find);
  return () => {
    try {
      return standard.create(options, model);
    } catch (error) {
      throw VarveError.isInstance(error) && error.code === "invalid-option" ? inFile(error, file) : error;
    }
  };
}

/** A strategy's refusal of an option, with the place where the option stands. */
function inFile(refusal: VarveError, file: string): VarveError {
  const { details, hint = "See docs/strategies.md." } = refusal;
  const path = `contextStrategy.config.${String(details.option)}`;
  return new VarveError({
    code: "invalid-document",
    message: `"${path}" of ${file} is ${describeValue(details.value)}.`,
    hint,
    cause: refusal,
    details: { ...details, file, path },
  });
}

function modelOf(name: string, { file, id }: PluginFile, find: FindModel | undefined): LanguageModel {
  if (find !== undefined) return find(name);
  throw new VarveError({
    code: "invalid-plugin",
    message: `The plug-in "${id}" asks for the model "${name}", and no models were given.`,
    hint: "Pass loadPlugins(paths, { model: (name) => openaiCompatible({ … }) }), or leave compressionModel out: summaries are then made without a model.",
    details: { file, path: "contextStrategy.config.compressionModel", value: name },
  });
}
