import type { Screen } from "../terminal/screen.js";
import { readable } from "../terminal/visible.js";
import type { Consent } from "./consent.js";
import type { ConsentAnswer, TurnListener } from "./listener.js";
import { Meter, type Metered } from "./meter.js";
import type { Chat } from "./open-chat.js";
import type { ConsentRequest } from "./tools/tool.js";
import { runTurn, type TurnOutcome } from "./turn.js";

export interface SingleParts {
  readonly question: string;
  readonly consent: Consent;
  readonly maxCompactions: number;
  /** Where the answer goes while it comes; undefined where it is wanted whole. */
  readonly screen: Screen | undefined;
  say(words: string): void;
}

export interface SingleAnswer extends TurnOutcome {
  readonly metered: Metered;
}

/** Asks one question and returns the answer. The question is in the log before the model is asked. */
export async function singleAnswer(chat: Chat, parts: SingleParts): Promise<SingleAnswer> {
  const { session, model, tools, system, loaded } = chat;
  const { question, consent, maxCompactions } = parts;
  const stop = new AbortController();
  const onStop = () => stop.abort();
  const meter = new Meter(model.name);
  const { maxOutputTokens } = loaded.config.chat ?? {};
  const limits = { maxOutputTokens, maxCompactions };
  const about = { consent, meter, listener: new PlainListener(parts), signal: stop.signal };
  for (const signal of SIGNALS) process.once(signal, onStop);
  try {
    await session.append({ role: "user", content: question });
    return { ...(await runTurn({ session, model, tools, system, ...limits, ...about })), metered: meter.metered };
  } finally {
    for (const signal of SIGNALS) process.off(signal, onStop);
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Words go to stderr. The answer goes to a terminal as it comes; elsewhere it is printed once it is known to be one. */
class PlainListener implements TurnListener {
  readonly #parts: SingleParts;
  #isMidLine = false;

  constructor(parts: SingleParts) {
    this.#parts = parts;
  }

  text(piece: string): void {
    const shown = readable(piece);
    if (this.#parts.screen === undefined || shown === "") return;
    this.#parts.screen.output.write(shown);
    this.#isMidLine = !shown.endsWith("\n");
  }

  thinking(): void {}

  again(): void {
    this.said();
  }

  said(): void {
    if (this.#isMidLine) this.#parts.screen?.output.write("\n");
    this.#isMidLine = false;
  }

  note(words: string): void {
    this.said();
    this.#parts.say(readable(words));
  }

  call(name: string, about: string): void {
    this.note(`· ${name} ${about}`.trimEnd());
  }

  async ask({ kind, question }: ConsentRequest): Promise<ConsentAnswer> {
    this.note(`Not done, since nobody can be asked: ${question} --allow ${kind} agrees to it beforehand.`);
    return "no";
  }
}
