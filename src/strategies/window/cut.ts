/** Where a sliding window cuts: pure arithmetic over the tokens of exchanges. */
export interface CutInput {
  /** The first exchange that may be shown, the last that must be, and the first that should be. */
  readonly first: number;
  readonly last: number;
  readonly lockedFrom: number;
  /** Where the previous view cut. */
  readonly previous: number;
  readonly tokens: (exchange: number) => number;
  /** Messages of an exchange as a provider counts them, and how many a tail may have; one beyond that is cut. */
  readonly messages?: (exchange: number) => number;
  readonly mostMessages?: number;
  /** Tokens of what stands in front of the tail if it starts here: the note, the request of its turn, pins. */
  readonly lead: (exchange: number) => number;
  /** A tail beyond this is cut, down to the target. */
  readonly trigger: number;
  /** Tokens up to which the tail from the previous cut stays as it is; the trigger unless given. */
  readonly stay?: number;
  readonly target: number;
  /** Tokens up to which what should be shown is shown; the trigger unless given. */
  readonly lock?: number;
}

export interface Cut {
  /** The exchange at which the tail starts. */
  readonly at: number;
  /** Tokens of the tail with its lead. */
  readonly tokens: number;
  /** True where the whole tail from the previous cut fits: nothing had to go. */
  readonly whole: boolean;
}

/**
 * Stays at the previous cut while the tail fits the trigger, so that the view only grows and its prefix stays cached.
 * Else cuts far enough to reach the target: seldom, and in large steps. Walks from the end; what lies before the cut is
 * never looked at.
 */
export function findCut(input: CutInput): Cut {
  const { last, previous, trigger, target, stay = trigger, lock = trigger } = input;
  const floor = Math.max(input.first, previous);
  const tail = tailWithin(stay, floor, input);
  const whole = tail === undefined ? Number.POSITIVE_INFINITY : tail + input.lead(floor);
  if (whole <= stay) return { at: floor, tokens: whole, whole: true };
  const { messages = () => 0, mostMessages = 0 } = input;
  const wanted = (mostMessages * target) / Math.max(1, trigger);
  let sum = 0;
  let count = 0;
  let best: Cut | undefined;
  let locked: Cut | undefined;
  for (let at = last; at >= floor; at--) {
    sum += input.tokens(at);
    count += messages(at);
    const tokens = sum + input.lead(at);
    if (count > mostMessages && best !== undefined) break;
    if (at === last || (tokens <= target && count <= wanted)) best = { at, tokens, whole: false };
    if (at >= input.lockedFrom && tokens <= lock) locked = { at, tokens, whole: false };
    if (sum > Math.max(trigger, lock)) break;
  }
  if (best === undefined) return { at: floor, tokens: input.lead(floor), whole: true };
  return locked !== undefined && locked.at < best.at ? locked : best;
}

/** Tokens of the tail from an exchange on; undefined where it takes more than so many. */
function tailWithin(most: number, from: number, input: CutInput): number | undefined {
  const { last, tokens, messages = () => 0, mostMessages = 0 } = input;
  let sum = 0;
  let count = 0;
  for (let at = last; at >= from; at--) {
    sum += tokens(at);
    count += messages(at);
    if (sum > most || count > mostMessages) return undefined;
  }
  return sum;
}
