import { callFault } from "./check-plan.js";
import type { BackgroundOptions, Strategy, Work, WorkInput } from "./strategy.js";

/** Work that goes on beside the views of one log: one piece at a time, and none twice. */
export function background() {
  let isWorking = false;
  let latest: string | undefined;
  let awaited: Promise<void> = Promise.resolve();
  const waitFor = (run: Promise<void>) => {
    awaited = run;
    run.catch(() => undefined);
  };
  return {
    /** Begins what a strategy has to do; `done` gets what came of it. */
    begin: (
      strategy: Strategy,
      input: WorkInput,
      { done, ...options }: BackgroundOptions & { readonly done: (own: unknown) => void },
    ): void => {
      if (isWorking) return;
      let work: Work | undefined;
      try {
        work = strategy.work?.(input);
      } catch (error) {
        waitFor(Promise.reject(callFault(strategy.name, "work", error)));
      }
      if (work === undefined || work.id === latest) return;
      isWorking = true;
      latest = work.id;
      const run = work
        .run(options)
        .then(done)
        .finally(() => {
          isWorking = false;
        });
      if (work.isAwaited) waitFor(run);
      else run.catch(() => undefined);
    },
    /** Resolves once work that views wait for has come to its end; throws where it failed. */
    settled: (): Promise<void> => {
      const waiting = awaited;
      awaited = Promise.resolve();
      return waiting;
    },
  };
}
