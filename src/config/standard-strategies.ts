import { z } from "zod";
import { describeValue, VarveError } from "../errors.js";
import type { LanguageModel } from "../model/language-model.js";
import { modelSummariser } from "../notes/model-summariser.js";
import { type EntitiesOptions, entities } from "../view/strategies/entities/entities.js";
import { type HierarchicalOptions, hierarchical } from "../view/strategies/hierarchical.js";
import { type ImportanceOptions, importance } from "../view/strategies/importance.js";
import { type SlidingWindowOptions, slidingWindow } from "../view/strategies/sliding-window.js";
import { type SummarizationOptions, summarization } from "../view/strategies/summarization.js";
import type { Strategy } from "../view/strategy.js";
import { checkFields } from "./check-fields.js";
import type { PluginFile } from "./read-plugin.js";
import { strategyFields, windowFields } from "./strategy-fields.js";
import { STRATEGY_ALIASES } from "./strategy-names.js";

/** Finds the model that a plug-in names. */
export type FindModel = (name: string) => LanguageModel;

/** A strategy that a file asks for; `path` is where its options stand there. */
export interface StrategyRequest extends PluginFile {
  readonly path?: string;
}

interface Standard {
  readonly config: z.ZodType<Readonly<Record<string, unknown>>>;
  readonly create: (options: object, model: LanguageModel | undefined) => Strategy;
}

const summarised = (options: object, model: LanguageModel | undefined): object =>
  model === undefined ? options : { ...options, summariser: modelSummariser(model) };

/** The checks below have made the options what the strategies take. */
const STANDARD: Readonly<Record<string, Standard>> = {
  "sliding-window": {
    config: z.strictObject({ ...windowFields, ...strategyFields["sliding-window"] }),
    create: (options) => slidingWindow(options as SlidingWindowOptions),
  },
  summarization: {
    config: z.strictObject({ ...windowFields, ...strategyFields.summarization }),
    create: (options, model) => summarization(summarised(options, model) as SummarizationOptions),
  },
  importance: {
    config: z.strictObject({ ...windowFields, ...strategyFields.importance }),
    create: (options, model) => importance(summarised(options, model) as ImportanceOptions),
  },
  hierarchical: {
    config: z.strictObject({ ...windowFields, ...strategyFields.hierarchical }),
    create: (options, model) => hierarchical(summarised(options, model) as HierarchicalOptions),
  },
  entities: {
    config: z.strictObject({ ...windowFields, ...strategyFields.entities }),
    create: (options, model) => entities({ ...options, ...(model && { extractor: model }) } as EntitiesOptions),
  },
};

const OPTIONS_PATH = "contextStrategy.config";

/** The strategy that comes with varve under a plug-in's id, made by its config; undefined where the id is none of them. */
export function standardStrategy(request: StrategyRequest, find: FindModel | undefined): (() => Strategy) | undefined {
  const standard = STANDARD[STRATEGY_ALIASES.get(request.pluginId) ?? ""];
  if (standard === undefined) return undefined;
  const { config = {}, file, path = OPTIONS_PATH } = request;
  const { compressionModel, ...options } = checkFields(standard.config, config, { file, path });
  const model = compressionModel === undefined ? undefined : modelOf(String(compressionModel), request, find);
  return () => {
    try {
      return standard.create(options, model);
    } catch (error) {
      throw VarveError.isInstance(error) && error.code === "invalid-option" ? inFile(error, { file, path }) : error;
    }
  };
}

/** A strategy's refusal of an option, with the place where the option stands. */
function inFile(refusal: VarveError, { file, path: base }: { file: string; path: string }): VarveError {
  const { details, hint = "See docs/strategies.md." } = refusal;
  const path = `${base}.${String(details.option)}`;
  return new VarveError({
    code: "invalid-document",
    message: `"${path}" of ${file} is ${describeValue(details.value)}.`,
    hint,
    cause: refusal,
    details: { ...details, file, path },
  });
}

function modelOf(name: string, request: StrategyRequest, find: FindModel | undefined): LanguageModel {
  if (find !== undefined) return find(name);
  const { file, id, path = OPTIONS_PATH } = request;
  throw new VarveError({
    code: "invalid-plugin",
    message: `The plug-in "${id}" asks for the model "${name}", and no models were given.`,
    hint: "Pass loadPlugins(paths, { model: (name) => openaiCompatible({ … }) }), or leave compressionModel out: summaries are then made without a model.",
    details: { file, path: `${path}.compressionModel`, value: name },
  });
}
