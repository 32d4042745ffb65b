import { z } from "zod";
import type { VarveError } from "../../../errors.js";
import { foreignText } from "../../../message/foreign-text.js";
import { isObject } from "../../../message/plain-value.js";
import type { LanguageModel } from "../../../model/language-model.js";
import { type AloneSettings, strategyOf } from "../../alone.js";
import { planView } from "../../plan-view.js";
import type { PlanInput, Policy } from "../../policy.js";
import type { Strategy } from "../../strategy.js";
import { aloneFields, called, checkedOptions, having, refused, whole } from "../check-options.js";
import { duePolicy } from "../thresholds.js";
import { type EntitySchema, type EntityState, type JSONSchema, readEntitySchema } from "./entity-schema.js";
import { type Tracked, track } from "./entity-tracker.js";
import { modelExtractor } from "./model-extractor.js";
import { ruleExtractor } from "./rule-extractor.js";

const fields = z.strictObject({
  ...aloneFields,
  /** What is to be known: a zod object or a JSON Schema. Names and descriptions are what an extractor goes by. */
  schema: z.custom<z.ZodObject | JSONSchema>(() => true),
  /** Reads the user's messages. Without one, simple rules do: see `ruleExtractor`. */
  extractor: having<LanguageModel>("complete", "a language model, such as openaiCompatible({ … })").optional(),
  /** Turns that follow the state; 4 unless given. */
  keepTurns: whole(1, " of turns").optional(),
  /** What is known before the first message. */
  initial: z.custom<EntityState>(isObject, "an object").optional(),
  /** Is told each new state. */
  onUpdate: called<(state: EntityState) => void>("a function").optional(),
  /** Is told why a message could not be read; the state then stays as it was. */
  onFault: called<(fault: VarveError) => void>("a function").optional(),
});
export type EntitiesOptions = AloneSettings & Readonly<z.input<typeof fields>>;

export interface EntitiesStrategy extends Strategy {
  /** The state of the log that it has planned for last. */
  state(): EntityState;
}

/** Share of the usable tokens that the state may take. */
const STATE_SHARE = 0.5;

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
  const options = checkedOptions("entities", fields, given);
  const { keepTurns = 4, initial = {}, extractor: model, onUpdate, onFault } = options;
  const schema = readEntitySchema(options.schema);
  const wrong = Object.entries(initial).find(([name, value]) => !schema.accepts(name, value));
  if (wrong !== undefined)
    throw refused({ of: "entities", option: `initial.${wrong[0]}`, value: wrong[1], allowed: "the schema says" });
  const extractor = model === undefined ? ruleExtractor(schema) : modelExtractor(model, schema);
  const own: Tracked = { state: initial, read: 0, tried: 0, failures: 0 };
  let latest: EntityState = initial;
  const tracked = async ({ reading, budget, state }: Omit<PlanInput, "request">) => {
    const fits = (each: EntityState) => reading.counter.text(stateText(each, schema)) <= budget.usable * STATE_SHARE;
    const before = (state.own as Tracked | undefined) ?? own;
    const now = await track(reading.log, before, { schema, extractor, fits, onUpdate, onFault });
    latest = now.state;
    return { ...state, own: now };
  };
  const policy = entitiesPolicy(schema, keepTurns);
  const plan = async (input: PlanInput) => planView({ ...input, state: await tracked(input) }, policy);
  return { ...strategyOf("entities", options, { policy, plan, own, advance: tracked }), state: () => latest };
}

/** The state speaks for what was left out: nothing else stands in for it. */
function entitiesPolicy(schema: EntitySchema, keepTurns: number): Policy {
  const textOf = (own: unknown): string => stateText((own as Tracked | undefined)?.state ?? {}, schema);
  return {
    name: "entities",
    reason: "only the last turns follow the state",
    lockLast: 0,
    resultShare: 0.25,
    clears: false,
    ...duePolicy({ threshold: keepTurns, keepLastTurns: keepTurns }),
    dueReason: "only the last turns follow the state",
    past: {
      always: true,
      bound: ({ reading, state }) => reading.counter.text(textOf(state.own)),
      stamp: textOf,
      write: ({ plan }) => ({ text: textOf(plan.state.own), covers: [] }),
    },
  };
}

/** The state as a view shows it. The same state gives the same bytes, so that the view's prefix stays. */
function stateText(state: EntityState, { required }: EntitySchema): string {
  const missing = required.filter((name) => !(name in state));
  const lines = ["[State] Known from the conversation so far:", foreignText(JSON.stringify(state))];
  if (missing.length > 0) lines.push(`Not known yet: ${missing.join(", ")}.`);
  return lines.join("\n");
}
