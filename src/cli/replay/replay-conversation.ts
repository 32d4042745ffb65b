import { VarveError } from "../../errors.js";
import type { Message, ToolDefinition } from "../../message/types.js";
import { openVarve } from "../../session/open-varve.js";
import type { Session } from "../../session/session.js";
import { defined } from "../../session/strategy-settings.js";
import type { TokenCounter } from "../../tokens/counter.js";
import { isCompaction } from "../../view/receipt.js";
import type { View, ViewRequest } from "../../view/view.js";
import { PROVIDERS, violations } from "../../wire/legality/violations.js";
import { unchangedPrefix } from "../demo/prefix.js";
import { type Figures, NO_FIGURES } from "./figures.js";
import type { RecordedStep, RecordedSteps } from "./recorded-steps.js";
import type { Setting } from "./setting.js";
import { ViewSearch } from "./view-search.js";

export interface ReplayTools {
  readonly counter: TokenCounter;
  /** Names the model: its prices tell how deep a cut pays. */
  readonly model?: string | undefined;
  /** Tokens kept free for the answer; those of the model unless given. */
  readonly reserve?: number | undefined;
  readonly maxSpend?: number | undefined;
  /** Milliseconds, for the time that views take. */
  readonly now: () => number;
  /** Called after each view with the tokens of its history. */
  readonly onView?: (historyTokens: number) => void;
}

/** One conversation under one setting. */
export interface Replayed {
  readonly figures: Figures;
  /** Tokens of each view, and of the history behind it. */
  readonly course: readonly Sizes[];
  /** Why no view could be made from some step on: the system prompt, the tools or the last message alone are too large. */
  readonly unfit: { readonly step: number; readonly reason: string } | undefined;
}

interface Sizes {
  readonly view: number;
  readonly history: number;
}

/**
 * Plays a conversation into a session of its own, with a view before each of the agent's messages. No model is called,
 * and no clock but that for the time it takes, so that the same recording gives the same views.
 */
export async function replayConversation(
  recorded: RecordedSteps,
  setting: Setting,
  tools: ReplayTools,
): Promise<Replayed> {
  const varve = await openVarve({ store: "memory", now: () => 0, onWarning: () => undefined });
  try {
    const { name: _name, ...options } = setting;
    const { counter, model, maxSpend } = tools;
    const reserve = tools.reserve !== undefined && tools.reserve < setting.window ? tools.reserve : undefined;
    const session = await varve.session("replay", defined({ ...options, model, counter, reserve, maxSpend }));
    return await new Replay(recorded, { ...tools, session, window: setting.window }).run();
  } finally {
    await varve.close();
  }
}

interface Bench extends ReplayTools {
  readonly session: Session;
  readonly window: number;
}

class Replay {
  readonly #recorded: RecordedSteps;
  readonly #bench: Bench;
  readonly #search: ViewSearch;
  readonly #request: ViewRequest;
  readonly #figures: { -readonly [Name in keyof Figures]: Figures[Name] } = { ...NO_FIGURES };
  readonly #course: Sizes[] = [];
  /** What is sent with every history as well. */
  readonly #toolTokens: number;
  #before: View | undefined;
  #historyBefore = 0;
  #appended = 0;

  constructor(recorded: RecordedSteps, bench: Bench) {
    this.#recorded = recorded;
    this.#bench = bench;
    this.#search = new ViewSearch(recorded);
    this.#request = requestOf(recorded);
    this.#toolTokens = this.#request.tools === undefined ? 0 : bench.counter.tools(this.#request.tools);
  }

  async run(): Promise<Replayed> {
    for (const [number, step] of this.#recorded.steps.entries()) {
      try {
        await this.#play(step);
      } catch (error) {
        if (!isUnfit(error)) throw error;
        return { ...this.#outcome(), unfit: { step: number + 1, reason: error.message } };
      }
    }
    return { ...this.#outcome(), unfit: undefined };
  }

  #outcome() {
    return { figures: this.#figures, course: this.#course };
  }

  async #play(step: RecordedStep): Promise<void> {
    const { now, session, onView } = this.#bench;
    const fresh = this.#fresh(step.at);
    const start = now();
    if (fresh.length > 0) await session.append(fresh);
    const view = await session.view(this.#request);
    this.#figures.milliseconds += now() - start;
    const history = this.#recorded.tokensBefore(step.at) + this.#toolTokens;
    this.#measure(view, history);
    this.#look(view, step);
    this.#before = view;
    this.#historyBefore = history;
    onView?.(history);
  }

  /** The system prompt goes with each request, and is no message of the log. */
  #fresh(at: number): Message[] {
    const first = this.#request.system === undefined ? 0 : 1;
    const fresh = this.#recorded.messages.slice(Math.max(first, this.#appended), at);
    this.#appended = at;
    return fresh;
  }

  #measure(view: View, history: number): void {
    const figures = this.#figures;
    figures.views++;
    figures.tokens += view.tokens;
    figures.cachedTokens += unchangedPrefix(view, this.#before, this.#bench.counter);
    figures.compactions += view.receipt !== undefined && isCompaction(view.receipt) ? 1 : 0;
    figures.over += view.tokens > this.#bench.window ? 1 : 0;
    figures.illegal += PROVIDERS.some((provider) => violations(view.messages, provider).length > 0) ? 1 : 0;
    figures.fullTokens += history;
    figures.fullCachedTokens += this.#historyBefore;
    this.#course.push({ view: view.tokens, history });
  }

  #look(view: View, { needed }: RecordedStep): void {
    if (needed.length === 0) return;
    const figures = this.#figures;
    const look = this.#search.in(view.messages);
    for (const each of needed) {
      const { found, inContext } = look(each);
      figures.needed++;
      figures.found += found ? 1 : 0;
      if (each.distance <= this.#bench.window) continue;
      figures.far++;
      figures.farFound += found ? 1 : 0;
      figures.farInContext += inContext ? 1 : 0;
    }
  }
}

/** Tools in a provider's own shape have no canonical one, and are left out. */
function requestOf({ conversation: { system, tools = [] } }: RecordedSteps): ViewRequest {
  const known = tools.filter((tool): tool is ToolDefinition => "name" in tool && typeof tool.name === "string");
  return defined({ system, tools: known.length === 0 ? undefined : known });
}

const isUnfit = (error: unknown): error is VarveError =>
  VarveError.isInstance(error) && error.code === "floor-exceeds-window";
