import type { FinalLog, replay, Step } from "./replay.js";

/** A replay to its end. */
export interface Replayed {
  readonly steps: readonly Step[];
  readonly log: FinalLog;
}

/** Goes through a replay, shows each step as it comes, and keeps them all. */
export async function collect(
  replayed: ReturnType<typeof replay>,
  show: (step: Step) => void | Promise<void> = () => {},
): Promise<Replayed> {
  const steps: Step[] = [];
  for (;;) {
    const next = await replayed.next();
    if (next.done) return { steps, log: next.value };
    steps.push(next.value);
    await show(next.value);
  }
}
