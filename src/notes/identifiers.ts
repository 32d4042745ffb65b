/**
 * Identifiers: the words of a conversation that cannot be guessed and must be carried to the letter. Words are what
 * stands between blanks, quotes, brackets and commas; what a word is, its shape tells.
 */
export type IdentifierKind =
  | "url"
  | "email"
  | "path"
  | "file"
  | "id"
  | "version"
  | "date"
  | "number"
  | "constant"
  | "symbol"
  | "flag";

export interface Identifier {
  readonly text: string;
  readonly kind: IdentifierKind;
  /** Where it stands in the text. */
  readonly start: number;
  readonly end: number;
}

/** Escapes of JSON text end a word like the characters they stand for. */
const WORD = /\\(?:[nrtbf"\\/]|u[0-9a-fA-F]{4})|[^\s"'`<>(){}[\],;|*\\=“”‘’«»…]+/g;
/** Longer words are data: base64, minified code. */
const LONGEST = 200;
const SHORTEST = 4;
/** Texts are searched this far; what lies beyond in one message is seldom named again. */
const REACH = 200_000;

/** The identifiers of a text, in order. Linear in its length. */
export function findIdentifiers(text: string): Identifier[] {
  const found: Identifier[] = [];
  const reach = text.length > REACH ? text.slice(0, REACH) : text;
  WORD.lastIndex = 0;
  for (let match = WORD.exec(reach); match !== null; match = WORD.exec(reach)) {
    const [word] = match;
    if (word.charCodeAt(0) === BACKSLASH || word.length < SHORTEST || word.length > LONGEST) continue;
    if (ORDINARY.test(word)) continue;
    const identifier = peel(word, match.index);
    if (identifier !== undefined) found.push(identifier);
  }
  return found;
}

const BACKSLASH = 92;
/** Most words are nothing but letters, and have no shape of those below; a row of hexadecimal digits has one. */
const ORDINARY = /^(?![a-fA-F]{7})[A-Za-z][a-z]*$/;
const TRAILING = /[.,:;!?&^%+\-_/@#~$]+$/;

/** A word without the punctuation around it, if it is an identifier. */
function peel(word: string, at: number): Identifier | undefined {
  const lead = leadingPunctuation(word);
  const body = word.slice(lead).replace(TRAILING, "");
  const place = body.replace(/(:\d+){1,2}$/, "");
  const text = place.length >= SHORTEST && /[/.]/.test(place) ? place : body;
  const kind = text.length >= SHORTEST ? identifierKind(text) : undefined;
  return kind && { text, kind, start: at + lead, end: at + lead + text.length };
}

function leadingPunctuation(word: string): number {
  let at = 0;
  while (at < word.length && ",:;!?&^%#@+".includes(word[at]!)) at++;
  return at;
}

const EXTENSION = /\.[A-Za-z][A-Za-z0-9]{0,7}$/;
const SHAPES: readonly (readonly [RegExp, IdentifierKind])[] = [
  [/^[a-z][a-z0-9+.-]{1,12}:\/\/\S/i, "url"],
  [/^[\w.+-]+@[\w-]+\.[\w.-]+$/, "email"],
  [/^\d{4}-\d{2}-\d{2}/, "date"],
  [/^v?\d+\.\d+(\.\d+)*([-+][\w.]+)?$/, "version"],
  [/^[$€£]?\d[\d,.:_]*\d(%|[a-zA-Z]{1,3})?$/, "number"],
  [/^--?[a-z][\w-]+$/, "flag"],
  [/^[\w@~.$+-]*\/[\w@~.$+#:/-]*\w/, "path"],
  [/^[0-9a-f]{7,}$/i, "id"],
  [/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/, "constant"],
  [/^(?=.*\d)[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$/, "id"],
  [/^[A-Za-z_$][\w$]*(_[\w$]+)+$/, "symbol"],
  [/^[A-Za-z_$][\w$-]*([.#]|::|->)[\w$.#:>-]+$/, "symbol"],
  [/^[a-z]+[A-Z]\w*$/, "symbol"],
  [/^[A-Z][a-z0-9]+[A-Z]\w*$/, "symbol"],
  [/^@?[a-z][a-z0-9]*(-[a-z0-9]+)+$/, "symbol"],
  [/^[A-Z]{3,}$/, "constant"],
];

/** What kind of identifier a word is by its shape; undefined for an ordinary word. */
export function identifierKind(text: string): IdentifierKind | undefined {
  const shape = SHAPES.find(([pattern]) => pattern.test(text))?.[1];
  return shape === "symbol" && EXTENSION.test(text) ? "file" : shape;
}
