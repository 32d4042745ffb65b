import type { ReadStream, WriteStream } from "node:tty";
import type { ConfirmReceipt } from "../../../memory/heeding.js";
import { messageText } from "../../../message/content.js";
import { INTERRUPTED } from "../../exit-codes.js";
import { factLines, formatEntries } from "../../output/tables.js";
import { reportFailure } from "../../report.js";
import { countOf, truncate } from "../../terminal/format.js";
import type { Screen } from "../../terminal/screen.js";
import { readable } from "../../terminal/visible.js";
import type { Consent } from "../consent.js";
import { Meter } from "../meter.js";
import type { Chat } from "../open-chat.js";
import { askForMore, isUnanswered } from "../pending.js";
import { parseSlash, type SlashCommands, type SlashOf } from "../slash.js";
import { runTurn } from "../turn.js";
import { LineReader } from "./line-reader.js";
import { statusLine } from "./status-line.js";
import { TerminalListener } from "./terminal-listener.js";

export interface TerminalParts {
  readonly screen: Screen;
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly consent: Consent;
  readonly maxCompactions: number;
  readonly commands: SlashCommands;
}

/** A chat on a terminal, until the user leaves; returns the exit code. */
export async function chatOnTerminal(chat: Chat, parts: TerminalParts): Promise<number> {
  return new TerminalChat(chat, parts).run();
}

const SIGNALS = ["SIGTERM", "SIGHUP"] as const;

class TerminalChat {
  readonly #chat: Chat;
  readonly #parts: TerminalParts;
  readonly #reader: LineReader;
  readonly #listener: TerminalListener;
  readonly #meter: Meter;
  /** Stops the answer that is being given. */
  #stop: AbortController | undefined;
  #interrupts = 0;
  #leaving = false;

  constructor(chat: Chat, parts: TerminalParts) {
    this.#chat = chat;
    this.#parts = parts;
    const { input, output, screen, commands } = parts;
    const onInterrupt = () => this.#interrupt();
    const { beginnings } = commands;
    this.#reader = new LineReader({ input, output, history: spoken(chat), beginnings, onInterrupt });
    this.#listener = new TerminalListener(screen, (question) => this.#reader.ask(question));
    this.#meter = new Meter(chat.model.name);
  }

  async run(): Promise<number> {
    const onInterrupt = () => this.#interrupt();
    const onEnd = () => this.#leave();
    process.on("SIGINT", onInterrupt);
    for (const signal of SIGNALS) process.once(signal, onEnd);
    try {
      this.#greet();
      while (!this.#leaving) await this.#turn();
    } finally {
      process.off("SIGINT", onInterrupt);
      for (const signal of SIGNALS) process.off(signal, onEnd);
      this.#reader.close();
    }
    return this.#interrupts > 1 ? INTERRUPTED : 0;
  }

  #greet(): void {
    const { session, isNew, model } = this.#chat;
    const { ink } = this.#parts.screen;
    this.#say(`${session.id} · ${model.name} · /help shows the commands`);
    if (isNew) return;
    this.#say(`${formatEntries(session.entries().length)} from before.`);
    const last = session.entries().findLast(({ message }) => message.role !== "tool")?.message;
    if (last !== undefined) {
      const words = truncate(readable(messageText(last)), this.#parts.screen.width() - 2);
      this.#parts.screen.print([`${last.role === "user" ? ink.bold("›") : " "} ${words}`]);
    }
    if (isUnanswered(session)) this.#say("This has no answer yet: /continue asks for it.");
  }

  async #turn(): Promise<void> {
    const { ink } = this.#parts.screen;
    const line = await this.#reader.next(ink.depth === 0 ? "> " : ink.bold("› "));
    if (line === undefined) {
      if (this.#reader.ended) this.#leave();
      return;
    }
    this.#interrupts = 0;
    const words = line.trim();
    if (words === "") return;
    if (words.startsWith("/")) await this.#command(words);
    else await this.#answer(() => this.#chat.session.append({ role: "user", content: line.trimEnd() }));
  }

  async #command(line: string): Promise<void> {
    const slash = parseSlash(line);
    const { commands } = this.#parts;
    if (slash.kind === "exit") this.#leave();
    if (slash.kind === "help") this.#parts.screen.print(factLines(commands.help, this.#parts.screen));
    if (slash.kind === "continue") await this.#answer(() => askForMore(this.#chat.session));
    if (slash.kind === "confirm" || slash.kind === "dismiss") await this.#settle(slash);
    if (slash.kind === "unclosed") this.#say("A quote is not closed; nothing was done.");
    if (slash.kind === "unknown") this.#say(`There is no /${readable(slash.name)}. /help shows what there is.`);
    if (slash.kind === "run") await this.#reader.away(() => commands.run(slash.parameters, this.#chat));
  }

  /** Carries out what a message asked of the memory, or lets it go: the one that is named, or the only one. */
  async #settle({ kind, request }: SlashOf<"confirm" | "dismiss">): Promise<void> {
    const { session } = this.#chat;
    await session.flush();
    const { requests } = session.status();
    for (const { id, text } of requests) if (requests.length > 1 && !request) this.#say(`${id}: ${readable(text)}`);
    if (requests.length > 1 && !request) return;
    try {
      const id = request ?? requests[0]?.id ?? "";
      if (requests.length === 0) this.#say("Nothing waits for a yes.");
      else if (kind === "dismiss") await session.dismiss(id).then(() => this.#say("It stays undone."));
      else this.#say(wordsOf(await session.confirm(id)));
    } catch (error) {
      reportFailure(error, { name: kind, json: false });
    }
  }

  /** What fails is told, and the chat goes on: the message stays in the log, and /continue asks again. */
  async #answer(append: () => Promise<unknown>): Promise<void> {
    const { session, model, tools, system, loaded } = this.#chat;
    const { consent, maxCompactions, screen } = this.#parts;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const { maxOutputTokens } = loaded.config.chat ?? {};
    const limits = { maxOutputTokens, maxCompactions };
    const about = { consent, meter: this.#meter, listener: this.#listener, signal };
    try {
      await append();
      const { finish } = await runTurn({ session, model, tools, system, ...limits, ...about });
      if (finish === "interrupted") this.#say("Stopped. Ctrl-C again leaves.");
      if (finish === "steps") this.#say("The model has called tools for a long time; /continue lets it go on.");
    } catch (error) {
      this.#listener.endLine();
      reportFailure(error, { name: "chat", json: false });
      if (isUnanswered(session)) this.#say("Your message is kept; /continue asks again.");
    } finally {
      this.#stop = undefined;
    }
    this.#say(
      statusLine({ model: model.name, status: session.status(), metered: this.#meter.metered }, screen.width()),
    );
  }

  /** Once stops the answer or clears the line, twice leaves. */
  #interrupt(): void {
    this.#interrupts++;
    if (this.#interrupts > 1) {
      this.#leave();
      return;
    }
    if (this.#stop !== undefined) {
      this.#stop.abort();
      this.#reader.wake();
      return;
    }
    this.#reader.clear();
    this.#parts.screen.output.write("\n");
    this.#say("Ctrl-C again leaves, and so does /exit.");
    this.#reader.wake();
  }

  /** Stops what goes on; what has been said by then is kept. */
  #leave(): void {
    this.#leaving = true;
    this.#stop?.abort();
    this.#reader.wake();
  }

  #say(words: string): void {
    const { ink, width, print } = this.#parts.screen;
    this.#listener.endLine();
    print([ink.tone("muted", truncate(words, width()))]);
  }
}

const wordsOf = ({ forgotten, ended }: ConfirmReceipt): string => {
  const gone = forgotten.reduce((sum, receipt) => sum + receipt.forgotten.length, 0);
  return `Forgot ${countOf(gone, "memory", "memories")}; ${countOf(ended.length, "memory", "memories")} no longer hold.`;
};

const LINES = 200;

/** What the user said before, latest first. */
const spoken = ({ session }: Chat): string[] =>
  session
    .entries()
    .filter(({ role }) => role === "user")
    .slice(-LINES)
    .map(({ message }) => messageText(message))
    .filter((text) => !text.includes("\n"))
    .reverse();
