import { VarveError } from "../errors.js";
import { toModelError } from "./model-error.js";
import { retryAfterOf } from "./retry-after.js";

/**
 * One answer out of several attempts. An attempt ends when its time is up or the caller aborts, whether or not what
 * it waits for listens to the signal. Calls are bounded: `retries` + 1 attempts of `timeout` each, and waits of at
 * most `longestWait` between them.
 */
export interface AttemptOptions {
  /**
   * Milliseconds for one attempt, its answer included; of a stream, for the longest silence in it. 120,000 unless given, of
   * a stream 240,000. An attempt out of time is not repeated.
   */
  readonly timeout?: number;
  /** How often a failed attempt is repeated. 3 unless given. */
  readonly retries?: number;
  /** The longest wait between two attempts, in milliseconds; a provider that asks for more is not asked again. 60,000 unless given. */
  readonly longestWait?: number;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** A number from 0 up to 1, which spreads the waits of many clients. */
  readonly random?: () => number;
  /** Milliseconds since 1970, to read a `Retry-After` that names a date. */
  readonly now?: () => number;
}

const DEFAULTS: Required<AttemptOptions> = {
  timeout: 120_000,
  retries: 3,
  longestWait: 60_000,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: Math.random,
  now: Date.now,
};
const FIRST_WAIT = 500;

/** Runs `run` until it succeeds, fails for good, or the attempts are used up; throws VarveErrors only. */
export async function attempt<T>(
  run: (signal: AbortSignal) => Promise<T>,
  given: AttemptOptions,
  signal?: AbortSignal,
): Promise<T> {
  const options = withDefaults(given);
  for (let failures = 0; ; ) {
    try {
      return await once(run, options.timeout, signal);
    } catch (error) {
      failures++;
      const failure = toModelError(error, failures);
      const wait = waitAfter(failure, failures, options);
      if (wait === undefined) throw failure;
      await endedBy(options.sleep(wait), signal);
    }
  }
}

export function withDefaults(given: AttemptOptions): Required<AttemptOptions> {
  const options = {
    ...DEFAULTS,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
  for (const name of ["timeout", "retries", "longestWait"] as const) {
    if (!(options[name] >= 0)) throw notANumber(name, options[name]);
  }
  return options;
}

const notANumber = (name: string, value: unknown): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `${name} must be a number from 0 on; it is ${String(value)}.`,
    hint: "timeout and longestWait are milliseconds, retries is a count.",
  });

/** Milliseconds until the next attempt; undefined where there is to be none. */
export function waitAfter(
  failure: VarveError,
  failures: number,
  options: Required<AttemptOptions>,
): number | undefined {
  if (!failure.retryable || failure.code !== "model-failed" || failures > options.retries) return undefined;
  const asked = retryAfterOf(failure, options.now());
  if (asked !== undefined) return asked <= options.longestWait ? asked : undefined;
  const ceiling = Math.min(options.longestWait, FIRST_WAIT * 2 ** (failures - 1));
  return ceiling * (0.5 + options.random() / 2);
}

async function once<T>(
  run: (signal: AbortSignal) => Promise<T>,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal?.aborted) throw abortedError(signal);
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(timeoutError(timeout)), timeout);
  const either = signal ? AbortSignal.any([signal, clock.signal]) : clock.signal;
  try {
    return await endedBy(endedBy(run(either), clock.signal), signal);
  } finally {
    clearTimeout(timer);
  }
}

/** The promise, unless the signal comes first: then its reason, where that is ours, else an `aborted` error. */
export function endedBy<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const end = (): void => reject(VarveError.isInstance(signal.reason) ? signal.reason : abortedError(signal));
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    promise
      .then(resolve, (error) => (signal.aborted ? end() : reject(error)))
      .finally(() => signal.removeEventListener("abort", end));
  });
}

export const timeoutError = (timeout: number): VarveError =>
  new VarveError({
    code: "model-timeout",
    message: `The model gave no answer within ${timeout} ms.`,
    hint: "Raise `timeout`, ask for less output, or choose a faster model.",
    retryable: true,
    details: { timeout },
  });

export const abortedError = (signal: AbortSignal): VarveError =>
  new VarveError({
    code: "aborted",
    message: "The call was aborted by its signal.",
    hint: "Call again with a signal that is not aborted.",
    cause: signal.reason,
  });
