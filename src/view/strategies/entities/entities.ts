import type { z } from "zod";
import type { VarveError } from "../../../errors.js";
import { foreignText } from "../../../message/foreign-text.js";
import type { LanguageModel } from "../../../model/language-model.js";
import { contextManager, strategyOf } from "../../alone.js";
import type { ViewState } from "../../plan.js";
import { planView } from "../../plan-view.js";
import type { PlanInput, Policy } from "../../policy.js";
import type { WindowSettings } from "../../settings.js";
import type { Archive, Strategy } from "../../strategy.js";
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
import { type EntitySchema, type EntityState, type JSONSchema, readEntitySchema } from "./entity-schema.js";
import { type Tracked, track, untracked } from "./entity-tracker.js";
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
  /** The state of the log that it has planned for last. */
  state(): EntityState;
}

const KEEP_TURNS = 4;
/** Share of the usable tokens that the state may take. */
const STATE_SHARE = 0.5;

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
  const { keepTurns = KEEP_TURNS, initial = {}, extractor: model, onUpdate, onFault } = options;
  const schema = readEntitySchema(options.schema);
  checkInitial(initial, schema);
  const extractor = model === undefined ? ruleExtractor(schema) : modelExtractor(model, schema);
  const own = untracked(initial);
  let latest: EntityState = initial;
  const tracked = async ({
    reading,
    budget,
    state,
  }: Pick<PlanInput, "reading" | "budget" | "state">): Promise<ViewState> => {
    const fits = (each: EntityState) => reading.counter.text(stateText(each, schema)) <= budget.usable * STATE_SHARE;
    const before = trackedIn(state.own) ?? own;
    const now = await track(reading.log, before, { schema, extractor, fits, onUpdate, onFault });
    latest = now.state;
    return { ...state, own: now };
  };
  const policy = entitiesPolicy(schema, keepTurns);
  const plan = async (input: PlanInput) => planView({ ...input, state: await tracked(input) }, policy);
  const strategy = strategyOf("entities", options, { policy, plan, own });
  const manager = contextManager(strategy, options, tracked);
  return { ...strategy, ...manager, state: () => latest };
}

const trackedIn = (own: unknown): Tracked | undefined => own as Tracked | undefined;

/** The state speaks for what was left out: nothing else stands in for it. */
function entitiesPolicy(schema: EntitySchema, keepTurns: number): Policy {
  const textOf = (own: unknown): string => stateText(trackedIn(own)?.state ?? {}, schema);
  return {
    name: "entities",
    reason: "only the last turns follow the state",
    lockLast: 0,
    resultShare: 0.25,
    clears: false,
    due: (tail) => tail.find(({ turn }) => turn === turnsFrom(tail, keepTurns))?.at,
    dueReason: "only the last turns follow the state",
    past: {
      always: true,
      bound: ({ reading, state }) => reading.counter.text(textOf(state.own)),
      stamp: textOf,
      write: ({ plan }) => ({ text: textOf(plan.state.own), covers: [] }),
    },
  };
}

/** The first of the last turns. */
function turnsFrom(tail: readonly { readonly turn: number }[], keepTurns: number): number | undefined {
  const turns = [...new Set(tail.map(({ turn }) => turn))].filter((turn) => turn >= 0);
  return turns.length > keepTurns ? turns.at(-keepTurns) : undefined;
}

function checkInitial(initial: EntityState, schema: EntitySchema): void {
  const wrong = Object.entries(initial).find(([name, value]) => !schema.accepts(name, value));
  if (wrong !== undefined)
    throw refused({ strategy: "entities", option: `initial.${wrong[0]}`, value: wrong[1], allowed: "the schema says" });
}

/** The state as a view shows it. The same state gives the same bytes, so that the view's prefix stays. */
function stateText(state: EntityState, { required }: EntitySchema): string {
  const missing = required.filter((name) => !(name in state));
  const lines = ["[State] Known from the conversation so far:", foreignText(JSON.stringify(state))];
  if (missing.length > 0) lines.push(`Not known yet: ${missing.join(", ")}.`);
  return lines.join("\n");
}
