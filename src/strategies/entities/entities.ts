import type { z } from "zod";
import { resolveSettings, type WindowSettings } from "../../compaction/settings.js";
import type { VarveError } from "../../errors.js";
import type { Log } from "../../message/log.js";
import type { LanguageModel } from "../../model/language-model.js";
import {
  ALONE,
  ANY,
  checkedOptions,
  FIELDS,
  having,
  LISTENER,
  type OptionRules,
  refused,
  TURNS,
} from "../check-options.js";
import { contextManager } from "../context-manager.js";
import type { Archive, Strategy, StrategyInput } from "../strategy.js";
import { EntitiesViewer } from "./entities-viewer.js";
import { type EntitySchema, type EntityState, type JSONSchema, readEntitySchema } from "./entity-schema.js";
import { EntityTracker } from "./entity-tracker.js";
import { modelExtractor } from "./model-extractor.js";
import { ruleExtractor } from "./rules/rule-extractor.js";

export interface EntitiesOptions extends WindowSettings {
  /** What is to be known: a zod object or a JSON Schema. Names and descriptions are what an extractor goes by. */
  readonly schema: z.ZodObject | JSONSchema;
  /** Reads the user's messages. Without one, simple rules do: see `ruleExtractor`. */
  readonly extractor?: LanguageModel;
  /** Turns that follow the state; 4 unless given. */
  readonly keepTurns?: number;
  /** What is known before the first message. */
  readonly initial?: EntityState;
  readonly archive?: Archive;
  /** Is told each new state. */
  readonly onUpdate?: (state: EntityState) => void;
  /** Is told why a message could not be read; the state then stays as it was. */
  readonly onFault?: (fault: VarveError) => void;
}

export interface EntitiesStrategy extends Strategy {
  /** The state of the log that the strategy was started on last. */
  state(): EntityState;
}

const KEEP_TURNS = 4;

const RULES: OptionRules<EntitiesOptions> = {
  ...ALONE,
  schema: ANY,
  extractor: having("complete", "a language model, such as openaiCompatible({ … })"),
  keepTurns: TURNS,
  initial: FIELDS,
  onUpdate: LISTENER,
  onFault: LISTENER,
};

/**
 * Keeps structured state instead of the conversation: after each user message a JSON object is brought up to date, the
 * view shows it right behind the system prompt, and only the last turns follow.
 *
 * @example
 * ```ts
 * const strategy = entities({ schema: z.object({ destination: z.string(), date: z.string() }), window: 8_000 });
 * await strategy.onTurnComplete([{ role: "user", content: "I want to fly to Paris on 12 May." }]);
 * strategy.state(); // { destination: "Paris", date: "12 May" }
 * ```
 */
export function entities(given: EntitiesOptions): EntitiesStrategy {
  const options = checkedOptions("entities", given, RULES);
  const { keepTurns = KEEP_TURNS, initial = {}, archive } = options;
  const schema = readEntitySchema(options.schema);
  checkInitial(initial, schema);
  const trackers = trackersOf(options, schema, initial);
  let latest: EntityTracker | undefined;
  const start = (input: StrategyInput): EntitiesViewer => {
    latest = trackers(input.log);
    return new EntitiesViewer(input, { schema, tracker: latest, keepTurns });
  };
  let viewer: EntitiesViewer | undefined;
  let alone: ReturnType<typeof contextManager> | undefined;
  const startAlone = (input: StrategyInput): EntitiesViewer => {
    viewer = start(input);
    return viewer;
  };
  const manager = () => {
    alone ??= contextManager({ start: startAlone, ...resolveSettings(options), ...(archive && { archive }) });
    return alone;
  };
  return {
    name: "entities",
    start,
    state: () => latest?.state ?? initial,
    composePayload: async (...payload) => manager().composePayload(...payload),
    onTurnComplete: async (newHistory) => {
      await manager().onTurnComplete(newHistory);
      await viewer?.update();
    },
  };
}

/** A log keeps its state when a session starts the strategy on it again. */
function trackersOf(options: EntitiesOptions, schema: EntitySchema, initial: EntityState): (log: Log) => EntityTracker {
  const { extractor: model, onUpdate, onFault } = options;
  const extractor = model === undefined ? ruleExtractor(schema) : modelExtractor(model, schema);
  const known = new WeakMap<Log, EntityTracker>();
  return (log) => {
    const tracker = known.get(log) ?? new EntityTracker(log, { schema, extractor, initial, onUpdate, onFault });
    known.set(log, tracker);
    return tracker;
  };
}

function checkInitial(initial: EntityState, schema: EntitySchema): void {
  const wrong = Object.entries(initial).find(([name, value]) => !schema.accepts(name, value));
  if (wrong !== undefined)
    throw refused({ strategy: "entities", option: `initial.${wrong[0]}`, value: wrong[1], allowed: "the schema says" });
}
