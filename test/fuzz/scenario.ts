/** What happens to one session, drawn from a seed: plain data, so that it can be played again, and made smaller. */
import type { Message, SessionOptions, ToolDefinition, ViewRequest } from "../../src/index.js";
import { Random } from "../../src/testing/random.js";
import { Conversation } from "./conversation.js";
import { sentence, text } from "./texts.js";

export const STRATEGIES = ["sliding-window", "summarization", "importance", "hierarchical", "entities"] as const;
export type StrategyName = (typeof STRATEGIES)[number];

export type Step =
  | { readonly kind: "append"; readonly messages: readonly Message[] }
  | { readonly kind: "view"; readonly request: ViewRequest }
  | { readonly kind: "pin"; readonly at: number; readonly by: "user" | "agent"; readonly turns?: number }
  | { readonly kind: "restore"; readonly at: number }
  | { readonly kind: "configure"; readonly window: number }
  | { readonly kind: "usage"; readonly ratio: number }
  | { readonly kind: "remember"; readonly text: string }
  | { readonly kind: "unpin" | "compact" | "undo" | "checkpoint" | "reopen" | "turn" };

export interface Scenario {
  readonly strategy: StrategyName;
  /** What the strategy is made with. */
  readonly policy: Readonly<Record<string, unknown>>;
  readonly options: Omit<SessionOptions, "strategy"> & { readonly window: number };
  readonly store: "memory" | "sqlite" | "file";
  readonly steps: readonly Step[];
}

/** The scenario of a number in the run of a seed. */
export function scenarioOf(seed: number, number: number, strategy: StrategyName): Scenario {
  const random = new Random(seed ^ Math.imul(number + 1, 0x9e3779b1));
  const special = random.chance(0.02);
  const window = special ? 60_000 : windowOf(random);
  const store = random.chance(0.75) ? "memory" : random.pick(["sqlite", "file"] as const);
  const scope = { user: "ann" };
  const options = {
    window,
    ...(random.chance(0.4) && { model: random.pick(["gpt-4.1", "gpt-4", "claude-sonnet-4-5", "gemini-2.5-pro"]) }),
    reserve: random.chance(0.7) ? 0 : random.below(window / 3),
    ...(random.chance(0.4) && { trigger: 0.5 + random.next() / 2 }),
    ...(random.chance(0.3) && { target: 0.1 + random.next() * 0.35 }),
    ...(random.chance(0.4) && { pinBudget: random.pick([0.1, 0.5, 1]) }),
    ...(random.chance(0.3) && { checkpointEvery: 1 + random.below(10) }),
    ...(random.chance(0.3) && { memory: { scope, share: random.pick([0.05, 0.1, 0.5]) } }),
  };
  return { strategy, policy: policyOf(strategy, random), options, store, steps: stepsOf(random, { special, store }) };
}

const windowOf = (random: Random): number => {
  const kind = random.next();
  if (kind < 0.15) return 60 + random.below(340);
  return kind < 0.85 ? 400 + random.below(4_000) : 4_000 + random.below(20_000);
};

function policyOf(strategy: StrategyName, random: Random): Readonly<Record<string, unknown>> {
  if (strategy === "entities") return random.chance(0.5) ? { keepTurns: 1 + random.below(6) } : {};
  return {
    ...(random.chance(0.5) && { lockLast: random.below(12) }),
    ...(random.chance(0.4) && { resultShare: random.pick([0.05, 0.25, 1]) }),
    ...(random.chance(0.25) && { after: { entries: 4 + random.below(20) } }),
  };
}

const TOOLS: readonly ToolDefinition[] = [
  {
    name: "read",
    description: "Reads a file",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  },
  { name: "bash", description: "Runs a command in the shell and gives what it puts out. ".repeat(6) },
];

function requestOf(random: Random): ViewRequest {
  return {
    ...(random.chance(0.5) && { system: random.chance(0.1) ? "" : `You are a careful engineer. ${sentence(random)}` }),
    ...(random.chance(0.3) && { tools: TOOLS.slice(0, 1 + random.below(2)) }),
    ...(random.chance(0.2) && { context: text(random) }),
    ...(random.chance(0.2) && { cache: random.pick(["warm", "cold"] as const) }),
  };
}

function stepsOf(random: Random, { special, store }: { special: boolean; store: Scenario["store"] }): Step[] {
  const talk = new Conversation(random);
  const request = requestOf(random);
  const steps: Step[] = [];
  const views = special ? 4 : 6 + random.below(34);
  if (special) {
    const kind = random.below(3);
    const messages = kind === 0 ? talk.manyCalls() : kind === 1 ? talk.manyMessages() : talk.manyPictures();
    steps.push({ kind: "append", messages });
  }
  while (steps.filter(({ kind }) => kind === "view").length < views) {
    const burst = random.chance(0.15) ? 2 + random.below(12) : 1;
    const messages = Array.from({ length: burst }, () => talk.next()).flat();
    if (random.chance(0.35)) for (const message of messages) steps.push({ kind: "append", messages: [message] });
    else steps.push({ kind: "append", messages });
    if (random.chance(0.35)) steps.push(interlude(random, store));
    steps.push({ kind: "view", request: random.chance(0.85) ? request : requestOf(random) });
  }
  return steps;
}

function interlude(random: Random, store: Scenario["store"]): Step {
  const kind = random.below(10);
  if (kind < 2) return { kind: "pin", at: random.below(60), by: random.pick(["user", "agent"]) };
  if (kind === 2) return { kind: "pin", at: random.below(60), by: "agent", turns: 1 + random.below(4) };
  if (kind === 3) return { kind: "configure", window: windowOf(random) };
  if (kind === 4) return { kind: "usage", ratio: 1 + random.next() / 4 };
  if (kind === 5) return { kind: "remember", text: text(random) };
  if (kind === 6) return { kind: "restore", at: random.below(8) };
  if (kind === 7 && store !== "memory") return { kind: "reopen" };
  return { kind: random.pick(["unpin", "compact", "compact", "undo", "checkpoint", "turn"] as const) };
}
