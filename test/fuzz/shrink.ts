/** Makes what a finding needs small enough to be read. */
import type { Message } from "../../src/index.js";
import type { Scenario, Step } from "./scenario.js";

/** Whether a smaller scenario still shows what the larger one did. */
export type Shows = (scenario: Scenario) => Promise<boolean>;

/** Leaves out steps, then messages, then words, as long as the finding stays; until so many milliseconds have passed. */
export async function shrink(scenario: Scenario, shows: Shows, milliseconds: number): Promise<Scenario> {
  const end = performance.now() + milliseconds;
  const still: Shows = async (smaller) => performance.now() < end && (await shows(smaller));
  const steps = await fewer(scenario.steps, (kept) => still({ ...scenario, steps: kept }));
  const alone = steps.flatMap((step): Step[] =>
    step.kind === "append" ? step.messages.map((message) => ({ kind: "append", messages: [message] })) : [step],
  );
  const single = (await still({ ...scenario, steps: alone })) ? alone : steps;
  const left = await fewer(single, (kept) => still({ ...scenario, steps: kept }));
  let smallest = { ...scenario, steps: left };
  for (const [at, step] of left.entries()) {
    if (step.kind !== "append") continue;
    for (const messages of shorter(step.messages)) {
      const candidate = { ...smallest, steps: smallest.steps.with(at, { ...step, messages }) };
      if (await still(candidate)) smallest = candidate;
    }
  }
  return smallest;
}

/** Leaves out runs of a list, long ones first. */
async function fewer<T>(list: readonly T[], shows: (kept: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let kept = list;
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = kept.length - size; at >= 0; at -= size) {
      const without = kept.toSpliced(at, size);
      if (await shows(without)) kept = without;
      at = Math.min(at, kept.length);
    }
  }
  return kept;
}

/** The same messages with their texts cut, first much and then little. */
function* shorter(messages: readonly Message[]): Generator<Message[]> {
  for (const length of [200, 40, 8]) yield cutTexts(messages, length) as Message[];
}

/** Data that is no text for people stays: pictures, dates, addresses. */
function cutTexts(value: unknown, length: number): unknown {
  if (typeof value === "string") return value.length > length ? value.slice(0, length) : value;
  if (Array.isArray(value)) return value.map((each) => cutTexts(each, length));
  if (typeof value !== "object" || value === null || value instanceof URL) return value;
  const isPicture = "mediaType" in value;
  return isPicture
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, field]) => [name, cutTexts(field, length)]));
}
