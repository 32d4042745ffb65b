import { invalidOption, VarveError } from "../errors.js";
import type { Message } from "../message/types.js";
import type { Fault } from "../notes/verify.js";
import type { Budget } from "../view/budget.js";
import type { Receipt } from "../view/receipt.js";

/** A view that was handed out. */
export interface ViewEvent {
  readonly session: string;
  readonly strategy: string;
  readonly tokens: number;
  /** Share of the usable tokens that it takes. */
  readonly percentUsed: number;
  readonly budget: Budget;
  /** Entries of the log, and those of them that it does not show. */
  readonly entries: number;
  readonly leftOut: number;
  /** Id of its receipt, where it reduced something. */
  readonly receipt: string | undefined;
}

/** A cut that made a view smaller. */
export interface CompactionEvent {
  readonly session: string;
  /** Tokens of the view without the cut, and with it. */
  readonly before: number;
  readonly after: number;
  /** `after` over `before`. */
  readonly ratio: number;
  /** 0 where nothing stands in for what left, 1 for notes made of messages, one more for each time that notes were merged. */
  readonly level: number;
  /** How often the view was made until it could be handed out: more than once where others have reduced meanwhile. */
  readonly attempts: number;
  readonly reason: string;
  /** The messages of the view. */
  readonly messages: readonly Message[];
  readonly receipt: Receipt;
}

/** What stands in where a summariser has failed: the conversation's own words, or the summary from before. */
export type SummaryFallback = "extractive" | "earlier";

/** A summary by a model, or why there is none. `faults` says what was wrong with answers that were not taken. */
export type SummaryEvent =
  | {
      readonly session: string;
      readonly outcome: "written";
      readonly madeBy: string;
      readonly text: string;
      readonly faults: readonly Fault[];
    }
  | {
      readonly session: string;
      readonly outcome: "failed";
      readonly error: VarveError;
      readonly fallback: SummaryFallback;
      readonly faults: readonly Fault[];
    };

/** Something that was mended, dropped or refused while all else went on. */
export interface WarningEvent {
  /** Undefined where it is no session's. */
  readonly session: string | undefined;
  readonly warning: VarveError;
}

/** What the sessions of a varve tell, by the name of the event. */
export interface VarveEvents {
  readonly view: ViewEvent;
  readonly compaction: CompactionEvent;
  readonly summary: SummaryEvent;
  readonly warning: WarningEvent;
}

export type VarveListener<Name extends keyof VarveEvents> = (event: VarveEvents[Name]) => void;
export type Emit = <Name extends keyof VarveEvents>(name: Name, event: VarveEvents[Name]) => void;

type Listening = { [Name in keyof VarveEvents]: Set<VarveListener<Name>> };

/** Those who listen to a varve. What they throw is theirs: whatever was told of has happened. */
export class Listeners {
  readonly #of: Listening = { view: new Set(), compaction: new Set(), summary: new Set(), warning: new Set() };
  readonly #onFailure: (failure: VarveError) => void;

  constructor(onFailure: (failure: VarveError) => void) {
    this.#onFailure = onFailure;
  }

  /** Returns what takes the listener off again. */
  on<Name extends keyof VarveEvents>(name: Name, listener: VarveListener<Name>): () => void {
    if (!Object.hasOwn(this.#of, name))
      throw invalidOption({ option: "event", value: name, allowed: `one of ${Object.keys(this.#of).join(", ")}` });
    if (typeof listener !== "function")
      throw invalidOption({ option: "listener", value: listener, allowed: "a function that takes an event" });
    const listening: VarveListener<Name> = (event) => listener(event);
    this.#of[name].add(listening);
    return () => void this.#of[name].delete(listening);
  }

  emit<Name extends keyof VarveEvents>(name: Name, event: VarveEvents[Name]): void {
    for (const listener of [...this.#of[name]]) this.#tell(name, async () => listener(event));
  }

  /** Begins at once; a promise that a listener returns is nobody's to wait for. */
  #tell(name: string, call: () => Promise<void>): void {
    call().catch((cause: unknown) => this.#onFailure(listenerFailed(name, cause)));
  }
}

const listenerFailed = (name: string, cause: unknown): VarveError =>
  new VarveError({
    code: "listener-failed",
    message: `A listener of "${name}" failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    hint: "What it was told of has happened all the same. See the cause.",
    cause,
    details: { event: name },
  });
