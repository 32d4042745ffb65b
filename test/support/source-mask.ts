/**
 * Source text with everything that is not code turned to spaces: comments, regular expressions and the insides of
 * strings and templates. Positions stay, so that what a pattern finds in the mask can be read in the original.
 */
export function maskSource(text: string): string {
  return new Masker(text).run();
}

/** Words after which a slash starts a regular expression and not a division. */
const BEFORE_REGEX = /(?:^|[^\w$.])(?:return|typeof|case|in|of|void|await|yield|else|do|instanceof|delete|throw)$/;

class Masker {
  readonly #text: string;
  readonly #out: string[];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#out = text.split("");
  }

  run(): string {
    this.#code(false);
    return this.#out.join("");
  }

  /** Walks code to its end, or to the brace that closes a template's substitution. */
  #code(inTemplate: boolean): void {
    for (let depth = 0; this.#at < this.#text.length; ) {
      const character = this.#text[this.#at];
      if (character === "{") depth++;
      if (character === "}" && depth-- === 0 && inTemplate) return;
      if (!this.#skipOther()) this.#at++;
    }
  }

  #skipOther(): boolean {
    const character = this.#text[this.#at];
    if (character === '"' || character === "'") return this.#string(character);
    if (character === "`") return this.#template();
    if (character !== "/") return false;
    const next = this.#text[this.#at + 1];
    if (next === "/") return this.#blankUntil(this.#indexOrEnd("\n", this.#at));
    if (next === "*") return this.#blankUntil(this.#indexOrEnd("*/", this.#at + 2) + 2);
    return this.#startsRegex() ? this.#regex() : false;
  }

  #string(quote: string): boolean {
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text[end] !== quote && this.#text[end] !== "\n")
      end += this.#text[end] === "\\" ? 2 : 1;
    this.#at++;
    this.#blankUntil(end);
    this.#at++;
    return true;
  }

  #template(): boolean {
    this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== "`") {
      if (this.#text.startsWith("${", this.#at)) {
        this.#at += 2;
        this.#code(true);
        this.#at++;
      } else this.#blankUntil(this.#at + (this.#text[this.#at] === "\\" ? 2 : 1));
    }
    this.#at++;
    return true;
  }

  #regex(): boolean {
    let end = this.#at + 1;
    for (let inClass = false; end < this.#text.length && (inClass || this.#text[end] !== "/"); end++) {
      if (this.#text[end] === "\\") end++;
      else if (this.#text[end] === "[") inClass = true;
      else if (this.#text[end] === "]") inClass = false;
    }
    return this.#blankUntil(end + 1);
  }

  #startsRegex(): boolean {
    const before = this.#out
      .slice(Math.max(0, this.#at - 80), this.#at)
      .join("")
      .trimEnd();
    return before === "" || /[(,=:[!&|?{};+\-*%<>~^]$/.test(before) || BEFORE_REGEX.test(before);
  }

  #blankUntil(end: number): boolean {
    for (; this.#at < Math.min(end, this.#text.length); this.#at++) {
      if (this.#text[this.#at] !== "\n") this.#out[this.#at] = " ";
    }
    return true;
  }

  #indexOrEnd(what: string, from: number): number {
    const index = this.#text.indexOf(what, from);
    return index < 0 ? this.#text.length : index;
  }
}
