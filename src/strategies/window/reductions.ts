import { type Mark, type MarkedForm, type MarkedForms, markExchange } from "../../compaction/marked.js";
import { type Marking, markCleared, markSuperseded } from "../../compaction/result-marks.js";
import type { ToolCallPart } from "../../message/types.js";
import { callResults, SupersedeScan } from "../../reduce/supersede.js";
import { type CallFacts, describeCall } from "../../reduce/supersede-call.js";
import type { Scene } from "./scene.js";

/** So many of the newest exchanges with results stay whole even where they are stale, and so many are not cleared. */
const SPARED = 2;
const NOT_CLEARED = 3;
/** A turn that takes so many times its room is not worth clearing: little more than calls would be left of it. */
const MOST_CLEARED = 4;

/**
 * What a cut makes of the exchanges of the tail, worked out from the end backwards as far as the cut is looked for. A
 * form that was shown before stays the same object as long as nothing else is to be said in it.
 */
export class Reductions {
  readonly #scene: Scene;
  readonly #before: MarkedForms;
  readonly #marking: Marking;
  readonly #scan = new SupersedeScan(factsOf);
  readonly #forms = new Map<number, MarkedForm>();
  /** The marks of stale results, by exchange, for those that may be cleared. */
  readonly #stale = new Map<number, readonly Mark[]>();
  /** Exchanges with results that were looked at. */
  #seen = 0;
  #next: number;

  /** `expandable` says whether the model has the tool that reads what marks stand for. */
  constructor(scene: Scene, before: MarkedForms, expandable: boolean) {
    this.#scene = scene;
    this.#before = before;
    this.#marking = { log: scene.log, counter: scene.counter, expandable };
    this.#next = scene.last;
  }

  /** Tokens of an exchange in the form that a cut gives it. */
  tokens(exchange: number): number {
    while (this.#next >= exchange) this.#supersede(this.#next--);
    return this.#scene.tokensIn(this.#forms.get(this.#positionOf(exchange)), exchange);
  }

  /**
   * Clears results, oldest first, until the tail from an exchange takes no more than its room. False, and nothing is
   * cleared, where that is not enough.
   */
  clear(from: number, room: number): boolean {
    const cleared: Cleared[] = [];
    let whole = 0;
    let least = 0;
    for (let at = this.#scene.last; at >= from; at--) {
      const tokens = this.tokens(at);
      const form = this.#cleared(at);
      const saved = form === undefined ? 0 : tokens - this.#scene.tokensIn(form, at);
      if (form !== undefined && saved > 0) cleared.push({ position: this.#positionOf(at), form, saved });
      whole += tokens;
      least += tokens - saved;
      if (least > room || whole > room * MOST_CLEARED) return false;
    }
    for (const { position, form, saved } of cleared.reverse()) {
      if (whole <= room) break;
      whole -= saved;
      this.#forms.set(position, form);
    }
    return true;
  }

  /** The forms of a tail that starts at an exchange. */
  from(exchange: number): MarkedForms {
    this.tokens(exchange);
    const first = this.#positionOf(exchange);
    return new Map([...this.#forms].filter(([position]) => position >= first));
  }

  #supersede(exchange: number): void {
    const { log } = this.#scene;
    const results = callResults(log.exchanges[exchange]!, log);
    if (results.length > 0) this.#scene.unreduced(exchange);
    const marks = results.flatMap((result) => {
      const stale = this.#scan.see(result);
      return stale === undefined ? [] : [markSuperseded(result, stale, this.#marking)];
    });
    const seen = this.#seen;
    if (results.length > 0) this.#seen++;
    if (seen < SPARED || this.#scene.isPinned(exchange)) return;
    if (seen >= NOT_CLEARED) this.#stale.set(exchange, marks);
    const form = this.#marked(exchange, marks);
    if (form !== undefined) this.#forms.set(this.#positionOf(exchange), form);
  }

  #cleared(exchange: number): MarkedForm | undefined {
    const stale = this.#stale.get(exchange);
    if (stale === undefined) return undefined;
    const { log } = this.#scene;
    const isStale = new Set(stale.map(({ call }) => call));
    const others = callResults(log.exchanges[exchange]!, log).filter(({ call }) => !isStale.has(call.toolCallId));
    const marks = others.flatMap((result) => markCleared(result, this.#marking) ?? []);
    return marks.length === 0 ? undefined : this.#marked(exchange, [...stale, ...marks]);
  }

  #marked(exchange: number, marks: readonly Mark[]): MarkedForm | undefined {
    if (marks.length === 0) return undefined;
    const { log, counter } = this.#scene;
    const { first, revision } = log.exchanges[exchange]!;
    const before = this.#before.get(first);
    if (before?.revision === revision && sameMarks(before.marks, marks)) return before;
    return markExchange({ log, counter, exchange, shown: this.#scene.unreduced(exchange), marks });
  }

  #positionOf(exchange: number): number {
    return this.#scene.log.exchanges[exchange]!.first;
  }
}

const knownFacts = new WeakMap<ToolCallPart, CallFacts>();

/** The calls of a log are frozen throughout: what was found of one holds for each later cut. */
function factsOf(call: ToolCallPart): CallFacts {
  const facts = knownFacts.get(call) ?? describeCall(call);
  knownFacts.set(call, facts);
  return facts;
}

interface Cleared {
  readonly position: number;
  readonly form: MarkedForm;
  /** Tokens that the form takes less. */
  readonly saved: number;
}

function sameMarks(one: readonly Mark[], other: readonly Mark[]): boolean {
  if (one.length !== other.length) return false;
  return one.every(({ at, call, text }, place) => {
    const mark = other[place]!;
    return mark.at === at && mark.call === call && mark.text === text;
  });
}
