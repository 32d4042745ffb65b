import { invalidOption } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { isObject } from "../message/plain-value.js";

/**
 * Correction of a counter by the usage that the provider reports. The factor is the median of the latest ratios of
 * reported to counted tokens, so that a few odd reports (a request that was cut off, a cache that was left out) do not
 * move it; the bound comes from how far the high ratios lie above it. State is plain JSON and belongs to one model.
 */
export interface Calibration {
  /** Reported ÷ counted, latest last. */
  readonly ratios: readonly number[];
}

export interface UsageReport {
  /** What the counter said for the request. */
  readonly estimated: number;
  /** What the provider said: input tokens, cached ones among them. */
  readonly reported: number | { readonly inputTokens?: number | undefined };
  /** The factor in `estimated`, where the counter that made it was calibrated: its `factor`. 1 unless given. */
  readonly factor?: number;
}

export const NO_CALIBRATION: Calibration = { ratios: [] };

const KEPT = 32;
/** Fewer reports than these change nothing. */
const LEAST = 3;
/** Below this, overhead that is no text decides the ratio. */
const SMALLEST = 200;
/** Ratios outside are no matter of tokenizers: half a request, cached input left out, another model's usage. */
const PLAUSIBLE = { low: 0.5, high: 2.5 };
const TIGHTEST_BOUND = 0.02;
const WIDEST_BOUND = 0.3;
const HIGH_QUANTILE = 0.9;

/**
 * The state with one more report in it.
 *
 * @example
 * ```ts
 * let state = NO_CALIBRATION;
 * state = calibrate(state, { estimated: 10_000, reported: { inputTokens: 11_200 } });
 * const counter = createTokenCounter({ model: "claude-sonnet-4-5", calibration: state });
 * ```
 */
export function calibrate(state: Calibration, report: UsageReport): Calibration {
  const { ratios } = checkCalibration(state);
  const { estimated, reported, factor = 1 } = checkReport(report);
  const tokens = typeof reported === "number" ? reported : (reported.inputTokens ?? 0);
  const ratio = (tokens * factor) / estimated;
  if (!(estimated >= SMALLEST) || !(ratio >= PLAUSIBLE.low && ratio <= PLAUSIBLE.high)) return state;
  return { ratios: [...ratios, Number(ratio.toFixed(4))].slice(-KEPT) };
}

/** What an application kept of a calibration and gives back. */
export function checkCalibration(calibration: unknown): Calibration {
  const ratios = isObject(calibration) ? calibration.ratios : undefined;
  if (Array.isArray(ratios) && ratios.every((ratio) => ratio > 0)) return { ratios };
  const allowed = "NO_CALIBRATION, or what calibrate() returned";
  throw invalidOption({ option: "calibration", value: calibration, allowed });
}

const REPORT: OptionNames<UsageReport> = { estimated: true, reported: true, factor: true };

function checkReport(report: unknown): UsageReport {
  const { estimated, reported, factor = 1 } = checkNames(report, REPORT, "calibrate");
  checkNumber({ estimated });
  checkNumber({ factor });
  if (!isObject(reported)) checkNumber({ reported });
  return report as UsageReport;
}

function checkNumber(option: Readonly<Record<string, unknown>>): void {
  const [name, value] = Object.entries(option)[0]!;
  if (typeof value !== "number") throw invalidOption({ option: name, value, allowed: "a number of tokens" });
}

export interface Correction {
  readonly factor: number;
  readonly errorBound: number;
}

/**
 * What a state makes of a counter with the bound `errorBound`. The factor is rounded to hundredths, so that it rarely
 * changes once it has settled and counts made with it stay comparable.
 */
export function correctionOf({ ratios }: Calibration, errorBound: number): Correction {
  if (ratios.length < LEAST) return { factor: 1, errorBound };
  const sorted = ratios.toSorted((first, second) => first - second);
  const median = quantile(sorted, 0.5);
  const spread = quantile(sorted, HIGH_QUANTILE) / median - 1;
  const doubt = Math.max(TIGHTEST_BOUND, errorBound) / Math.sqrt(ratios.length);
  return {
    factor: Math.round(median * 100) / 100,
    errorBound: Math.min(WIDEST_BOUND, Math.max(TIGHTEST_BOUND, Math.ceil((spread + doubt) * 100) / 100)),
  };
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 1;
