/** What a format asks of the names of tools or of the ids of calls. */
export interface TextForm {
  /** The text with nothing in it that the format refuses: the very text where there is nothing. */
  mend(text: string): string;
  /** The most characters that it may have. */
  readonly longest: number;
}

/** Names of letters, digits, `_` and `-`, so many at most. */
export function plainNames(longest: number): TextForm {
  const legal = new RegExp(`^[a-zA-Z0-9_-]{1,${longest}}$`);
  return {
    longest,
    mend: (name) => (legal.test(name) ? name : name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, longest) || "_"),
  };
}

/** The beginning of a text, so many characters at most; no character is cut in two. */
export const cutTo = (text: string, longest: number): string => text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "");

/** A text with a number behind it, which takes the place of its end where it would be too long. */
export function numbered(text: string, number: number, longest: number): string {
  const ending = `_${number}`;
  return `${cutTo(text, longest - ending.length)}${ending}`;
}

/**
 * Names or ids as a format takes them. One that the format takes stays as it is; any other is mended, with a number
 * behind it where another of the conversation is the mended one already.
 */
export class SendableTexts {
  readonly #all: () => Iterable<string>;
  readonly #form: TextForm;
  readonly #written = new Map<string, string>();
  /** The latest number put behind a mended one. */
  readonly #numbers = new Map<string, number>();
  #taken: Set<string> | undefined;

  /** `all` gives those of the whole conversation; it is asked only where one must be mended. */
  constructor(form: TextForm, all: () => Iterable<string>) {
    this.#form = form;
    this.#all = all;
  }

  written(text: string): string {
    return this.#written.get(text) ?? this.#add(text);
  }

  #add(text: string): string {
    const base = this.#form.mend(text);
    const written = base === text ? text : this.#free(base);
    this.#written.set(text, written);
    return written;
  }

  #free(base: string): string {
    this.#taken ??= new Set(this.#all());
    let written = base;
    let number = this.#numbers.get(base) ?? 1;
    while (this.#taken.has(written)) {
      number++;
      written = numbered(base, number, this.#form.longest);
    }
    this.#numbers.set(base, number);
    this.#taken.add(written);
    return written;
  }
}
