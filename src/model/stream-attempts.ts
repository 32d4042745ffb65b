import { type AttemptOptions, abortedError, endedBy, timeoutError, waitAfter, withDefaults } from "./attempts.js";
import { toModelError } from "./model-error.js";
import type { StreamEvent } from "./streaming.js";

/** Models that think before they speak are silent for minutes. */
const SILENCE = 240_000;

type Run = (signal: AbortSignal) => AsyncIterable<StreamEvent>;

/**
 * One streamed answer out of several attempts: where one fails, even in the middle, the answer is begun anew after a wait,
 * and that is said. `timeout` is the longest silence within an attempt. Throws VarveErrors only.
 */
export async function* attemptStream(
  run: Run,
  given: AttemptOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamEvent> {
  const options = withDefaults({ ...given, timeout: given.timeout ?? SILENCE });
  for (let failures = 1; ; failures++) {
    const clock = new SilenceClock(options.timeout, signal);
    try {
      if (signal?.aborted) throw abortedError(signal);
      yield* heard(run(clock.signal), clock);
      return;
    } catch (error) {
      if (signal?.aborted) throw abortedError(signal);
      const failure = toModelError(clock.reason ?? error, failures);
      const wait = waitAfter(failure, failures, options);
      if (wait === undefined) throw failure;
      yield { type: "answer-restart", error: failure, wait };
      await endedBy(options.sleep(wait), signal);
    } finally {
      clock.stop();
    }
  }
}

/** The clock stands still while the reader works on an event. */
async function* heard(events: AsyncIterable<StreamEvent>, clock: SilenceClock): AsyncGenerator<StreamEvent> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      clock.start();
      const next = await endedBy(iterator.next(), clock.signal);
      clock.stop();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not waited for: a source that does not listen to the signal would hold up whoever stopped.
    void iterator.return?.().then(undefined, () => undefined);
  }
}

class SilenceClock {
  readonly #timeout: number;
  readonly #silence = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  readonly signal: AbortSignal;

  constructor(timeout: number, signal: AbortSignal | undefined) {
    this.#timeout = timeout;
    this.signal = signal === undefined ? this.#silence.signal : AbortSignal.any([signal, this.#silence.signal]);
  }

  /** The error of a silence that lasted too long. */
  get reason(): unknown {
    return this.#silence.signal.reason;
  }

  start(): void {
    this.#timer = setTimeout(() => this.#silence.abort(timeoutError(this.#timeout)), this.#timeout);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
