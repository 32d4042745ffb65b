import { messageText } from "../../message/content.js";
import type { Screen } from "../terminal/screen.js";
import { readable } from "../terminal/visible.js";
import { askLine, CONSENT_PROMPT, consentAnswer, consentLines } from "./ask-consent.js";
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
  /** Colours of questions to the user, where there is one at the terminal. */
  readonly ink: Screen["ink"] | undefined;
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
  const about = { consent, meter, listener: new PlainListener(parts, stop), signal: stop.signal };
  for (const signal of SIGNALS) process.once(signal, onStop);
  try {
    if (!isAsked(session, question)) await session.append({ role: "user", content: question });
    return { ...(await runTurn({ session, model, tools, system, ...limits, ...about })), metered: meter.metered };
  } finally {
    for (const signal of SIGNALS) process.off(signal, onStop);
  }
}

/** Whether the log ends with this very question: a run before failed, and this one asks again. */
function isAsked(session: Chat["session"], question: string): boolean {
  const last = session.entries().at(-1)?.message;
  return last?.role === "user" && messageText(last) === question;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Words go to stderr. The answer goes to a terminal as it comes; elsewhere it is printed once it is known to be one. */
class PlainListener implements TurnListener {
  readonly hasCommands = false;
  readonly #parts: SingleParts;
  readonly #stop: AbortController;
  #isMidLine = false;

  constructor(parts: SingleParts, stop: AbortController) {
    this.#parts = parts;
    this.#stop = stop;
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

  async ask(request: ConsentRequest): Promise<ConsentAnswer> {
    const { ink } = this.#parts;
    this.said();
    if (ink === undefined) {
      const { kind, question } = request;
      this.note(`Not done, since nobody can be asked: ${question} --allow ${kind} agrees to it beforehand.`);
      return "no";
    }
    process.stderr.write(`${consentLines(request, ink).join("\n")}\n`);
    return consentAnswer(await askLine(CONSENT_PROMPT, this.#stop));
  }
}
