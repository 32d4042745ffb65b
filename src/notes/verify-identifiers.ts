/** Checks that a summary holds no name and no number that its source lacks. */
import { findIdentifiers, type Identifier } from "./identifiers.js";

/** Words with a dash are seldom names, and words in capitals alone often stand for a thing that every reader knows. */
const COMMON = /^[A-Za-z]+(-[A-Za-z]+)*$/;
const PLAIN = /^([A-Z]?[a-z]+|[A-Z]+)(-[a-z]+)*$/;
/** Punctuation of scripts without blanks, which ends a name too. */
const WIDE = /[\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]/g;

/** The identifiers and numbers of a summary that its source lacks. */
export function unknownIdentifiers(summary: string, texts: readonly string[]): string[] {
  const known = (wanted: string): boolean => texts.some((text) => text.includes(wanted));
  const names = findIdentifiers(summary.replace(WIDE, " ")).filter(isName);
  const unknown = names.filter((name) => !formsOf(name).some(known) && !isPutTogether(name, known));
  return [...new Set([...unknown.map(({ text }) => text), ...unknownNumbers(summary, texts)])];
}

function isName({ text, kind }: Identifier): boolean {
  if (kind === "constant" || kind === "symbol") return /[_.:#>$]|[a-z][A-Z]|^E[A-Z]{4,}$/.test(text);
  return kind !== "number" && (kind !== "flag" || !COMMON.test(text));
}

/** An identifier counts as known where the source has it in one of these forms. */
function formsOf({ text, kind }: Identifier): string[] {
  const forms = [text, text.replaceAll("\\", "\\\\"), text.replaceAll(/[`*]/g, "")];
  if (kind === "path" || kind === "file")
    forms.push(text.replace(/^(\.\/|~\/|@|\/)/, ""), text.replace(/[#:]L?\d+(-L?\d+)?$/, ""));
  if (kind === "url") forms.push(text.replace(/^https?:\/\//, ""), text.replace(/#.*$/, ""));
  return forms.filter((form) => form.length >= 3);
}

/** Folders with which a path begins; other words with slashes between them are lists. */
const FOLDER =
  /^(src|lib|app|apps|test|tests|docs?|bin|etc|usr|home|tmp|var|opt|pkg|cmd|internal|packages|config|scripts|dist|build|public|assets|node_modules)$/i;
/** A name with a dot is that of a file where it ends like one, else that of a member. */
const FILE =
  /\.(c|cc|cfg|cjs|conf|cpp|cs|css|csv|env|exs?|go|gz|h|hpp|html?|ini|ipynb|java|jpe?g|jsonl?|jsx?|kt|lock|log|lua|mdx?|mjs|pdf|php|png|proto|py|rb|rs|s?css|sh|sql|svelte|svg|swift|tar|toml|tsx?|txt|vue|wasm|xml|ya?ml|zip)$/i;

/** A list with slashes, or a member named with its owner: its parts are known, only not side by side. */
function isPutTogether({ text, kind }: Identifier, known: (wanted: string) => boolean): boolean {
  const isList = kind === "path" && !/^[/~.]|\.\w+$/.test(text);
  const parts = text.split(isList ? /[/→]/ : /\.|::|->|#/).filter((part) => part.length > 1);
  if (isList) return !FOLDER.test(parts[0] ?? "") && parts.every((part) => PLAIN.test(part) || known(part));
  const isMember = kind === "symbol" || (kind === "file" && !FILE.test(text));
  return isMember && parts.length > 1 && parts.every(known);
}

/** Numbers of two digits and more that are not said to be rough. */
const NUMBER =
  /(?<![\p{L}\d_.,:/#-])(?<!(?:about|around|roughly|some|nearly|almost|over|ca\.|etwa|rund|fast|unos|environ|cerca de|около|约|大约|~|≈)\s?)\d[\d.,_]*\d(?![\d_]|\p{L}{4})/giu;

/** Units that are also given in thousands or thousandths. */
const UNIT = /^\s?(?:[kmµn]?s|sec\p{L}*|Sek\p{L}*|[kKMG]i?B|k|kg|g|km|m|秒|毫秒)(?![\p{L}\d])/u;

/** A number counts as known in any spelling, and with a unit in thousands or thousandths too. */
function unknownNumbers(summary: string, texts: readonly string[]): string[] {
  const digits = (number: string) => number.replace(/\D/g, "").replace(/^0+(?=\d)/, "");
  const found = [...summary.matchAll(NUMBER)];
  const known = new Set(
    found.length === 0 ? [] : texts.flatMap((text) => text.match(/\d[\d.,_]*/g)?.map(digits) ?? []),
  );
  const unknown = found.filter(({ 0: number, index }) => {
    const plain = digits(number);
    const isScaled = UNIT.test(summary.slice(index + number.length));
    return ![plain, ...(isScaled ? [`${plain}000`, plain.replace(/000$/, "")] : [])].some((form) => known.has(form));
  });
  return unknown.map(([number]) => number);
}
