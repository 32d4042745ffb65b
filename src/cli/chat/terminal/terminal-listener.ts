import { truncate } from "../../terminal/format.js";
import type { Screen } from "../../terminal/screen.js";
import { readable } from "../../terminal/visible.js";
import { CONSENT_PROMPT, consentAnswer, consentLines } from "../ask-consent.js";
import type { ConsentAnswer, TurnListener } from "../listener.js";
import type { ConsentRequest } from "../tools/tool.js";

/** Shows a turn on a terminal, as it comes. */
export class TerminalListener implements TurnListener {
  readonly hasCommands = true;
  readonly #screen: Screen;
  readonly #askLine: (question: string) => Promise<string | undefined>;
  #isMidLine = false;
  #isThinking = false;

  constructor(screen: Screen, askLine: (question: string) => Promise<string | undefined>) {
    this.#screen = screen;
    this.#askLine = askLine;
  }

  text(piece: string): void {
    const shown = readable(piece);
    if (shown === "") return;
    this.#isThinking = false;
    this.#screen.output.write(shown);
    this.#isMidLine = !shown.endsWith("\n");
  }

  thinking(): void {
    if (this.#isThinking) return;
    this.#isThinking = true;
    this.#line("thinking …");
  }

  again(): void {
    this.#isThinking = false;
    this.endLine();
  }

  said(): void {
    this.#isThinking = false;
    this.endLine();
  }

  note(words: string): void {
    this.#line(readable(words));
  }

  call(name: string, about: string): void {
    this.#line(`· ${readable(name)} ${readable(about)}`);
  }

  /** Whatever is asked for is shown in full: what is hidden cannot be agreed to. */
  async ask(request: ConsentRequest): Promise<ConsentAnswer> {
    this.endLine();
    this.#screen.print(consentLines(request, this.#screen.ink));
    return consentAnswer(await this.#askLine(CONSENT_PROMPT));
  }

  /** Goes to the beginning of a line. */
  endLine(): void {
    if (this.#isMidLine) this.#screen.output.write("\n");
    this.#isMidLine = false;
  }

  #line(words: string): void {
    this.endLine();
    this.#screen.print([this.#screen.ink.tone("muted", truncate(words, this.#screen.width()))]);
  }
}
