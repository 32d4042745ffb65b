import {
  createTokenCounter,
  fromOpenAI,
  type Message,
  openVarve,
  PROVIDERS,
  type Provider,
  type Repair,
  type Session,
  type TokenCounter,
  type View,
  violations,
} from "../../index.js";
import type { Segment } from "../terminal/grid.js";
import { captionOf } from "./caption.js";
import { isSame, unchangedPrefix } from "./prefix.js";
import type { SampleSession } from "./sample-session.js";
import { rememberCounts, segmentsOf } from "./segments.js";

export interface ReplayOptions {
  readonly sample: SampleSession;
  readonly window: number;
  readonly strategy: string;
}

/** One view of the replay, with the log as it stood then. */
export interface Step {
  readonly number: number;
  readonly total: number;
  /** What the agent answers to this view. */
  readonly caption: string;
  readonly view: View;
  readonly strategy: string;
  readonly segments: readonly Segment[];
  readonly log: LogSize;
  /** Tokens at the view's start that the view before had as well. */
  readonly unchanged: number;
  /** Repairs that no view before had made. */
  readonly repairs: readonly Repair[];
  /** Providers that would refuse the view. */
  readonly refusedBy: readonly Provider[];
  /** Name of the tool for the entries that this view's receipt says were shortened. */
  readonly toolNames: ReadonlyMap<string, string>;
}

export interface LogSize {
  readonly messages: number;
  readonly tokens: number;
}

/** The log in the end. */
export interface FinalLog extends LogSize {
  /** Messages that can still be read from it word for word. */
  readonly kept: number;
}

/**
 * Feeds a recorded session to varve message by message, with a view before each of the agent's messages, as the agent
 * itself would ask for one. Returns the log in the end.
 */
export async function* replay({ sample, window, strategy }: ReplayOptions): AsyncGenerator<Step, FinalLog> {
  const counter = rememberCounts(createTokenCounter({ encoding: "o200k" }));
  const varve = await openVarve({ store: "memory" });
  const session = await varve.session("demo", { window, strategy, counter, reserve: 0 });
  const messages = fromOpenAI(sample.messages);
  const observer = new Observer(session, counter, messages.filter(({ role }) => role === "assistant").length);
  const { system, tools, context } = sample;
  for (const message of messages) {
    if (message.role === "assistant") yield observer.observe(await session.view({ system, tools, context }), message);
    observer.appended(message);
    await session.append(message);
  }
  const kept = messages.filter((message, at) => isSame(message, session.entries()[at]?.message)).length;
  await varve.close();
  return { ...observer.log, kept };
}

/** Works out what there is to tell about each view. */
class Observer {
  readonly #session: Session;
  readonly #counter: TokenCounter;
  readonly #total: number;
  readonly #repaired = new Set<string>();
  #before: View | undefined;
  #steps = 0;
  log: LogSize = { messages: 0, tokens: 0 };

  constructor(session: Session, counter: TokenCounter, total: number) {
    this.#session = session;
    this.#counter = counter;
    this.#total = total;
  }

  appended(message: Message): void {
    this.log = { messages: this.log.messages + 1, tokens: this.log.tokens + this.#counter.message(message) };
  }

  observe(view: View, answer: Message): Step {
    const unchanged = unchangedPrefix(view, this.#before, this.#counter);
    this.#before = view;
    return {
      number: ++this.#steps,
      total: this.#total,
      caption: captionOf(answer),
      view,
      strategy: this.#session.status().strategy,
      segments: segmentsOf(view, this.#counter),
      log: this.log,
      unchanged,
      repairs: view.repairs.filter((repair) => this.#isNew(repair)),
      refusedBy: PROVIDERS.filter((provider) => violations(view.messages, provider).length > 0),
      toolNames: this.#toolNames(view),
    };
  }

  #isNew({ kind, at, call }: Repair): boolean {
    const key = `${kind} ${at} ${call ?? ""}`;
    const isNew = !this.#repaired.has(key);
    this.#repaired.add(key);
    return isNew;
  }

  #toolNames({ receipt }: View): Map<string, string> {
    const messageOf = (id: string) => this.#session.entries().find((entry) => entry.id === id)?.message;
    return new Map((receipt?.items ?? []).map(({ from }) => [from, toolName(messageOf(from))]));
  }
}

function toolName(message: Message | undefined): string {
  const part = message?.role === "tool" ? message.content[0] : undefined;
  return part?.type === "tool-result" ? part.toolName : "";
}
