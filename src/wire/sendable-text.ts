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
const cutTo = (text: string, longest: number): string => text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "");

/** Ids of so many characters at most: what is cut of a longer one is told by a number that stands for all of it. */
export const shortened = (longest: number): TextForm => ({
  longest,
  mend: (id) => (id.length <= longest ? id : `${cutTo(id, longest - 9)}_${hashOf(id)}`),
});

/** FNV-1a, in eight digits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** A text with a number behind it, which takes the place of its end where it would be too long. */
function numbered(text: string, number: number, longest: number): string {
  const ending = `_${number}`;
  return `${cutTo(text, longest - ending.length)}${ending}`;
}

/** Gives texts that are not taken: a taken one gets the next number behind it. */
export class FreeTexts {
  readonly #longest: number;
  /** The latest number put behind a text. */
  readonly #numbers = new Map<string, number>();

  constructor(longest: number) {
    this.#longest = longest;
  }

  from(base: string, taken: { has(text: string): boolean }): string {
    let written = base;
    let number = this.#numbers.get(base) ?? 1;
    while (taken.has(written)) {
      number++;
      written = numbered(base, number, this.#longest);
    }
    this.#numbers.set(base, number);
    return written;
  }
}

/**
 * Names or ids as a format takes them. One that the format takes stays as it is; any other is mended, with a number
 * behind it where another of the conversation is the mended one already.
 */
export class SendableTexts {
  readonly #all: () => Iterable<string>;
  readonly #form: TextForm;
  readonly #free: FreeTexts;
  readonly #written = new Map<string, string>();
  #taken: Set<string> | undefined;

  /** `all` gives those of the whole conversation; it is asked only where one must be mended. */
  constructor(form: TextForm, all: () => Iterable<string>) {
    this.#form = form;
    this.#free = new FreeTexts(form.longest);
    this.#all = all;
  }

  written(text: string): string {
    return this.#written.get(text) ?? this.#add(text);
  }

  #add(text: string): string {
    const base = this.#form.mend(text);
    const written = base === text ? text : this.#take(base);
    this.#written.set(text, written);
    return written;
  }

  #take(base: string): string {
    this.#taken ??= new Set(this.#all());
    const written = this.#free.from(base, this.#taken);
    this.#taken.add(written);
    return written;
  }
}
