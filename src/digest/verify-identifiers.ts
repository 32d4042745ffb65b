import { findIdentifiers, type Identifier } from "./identifiers.js";
import type { Spoken } from "./verify-source.js";

/** Numbers whose unit says that they were measured or set. */
const MEASURE =
  /(?<![\w.])\d[\d,.]*\s?(?:%|(?:[kKMGT]i?B|ms|µs|ns|[smh]|sec|min|seconds?|minutes?|hours?|days?|px|USD|EUR|tokens?)\b)/g;
/** Words with a dash are seldom names, and words in capitals alone often stand for a thing that every reader knows. */
const COMMON = /^[A-Za-z]+(-[A-Za-z]+)*$/;
const PLAIN = /^([A-Z]?[a-z]+|[A-Z]+)(-[a-z]+)*$/;
const CODE = /^E[A-Z]{4,}$/;

/** The identifiers of a summary that its source lacks. */
export function unknownIdentifiers(summary: string, spoken: readonly Spoken[], previous: string): string[] {
  const texts = [previous, ...spoken.map(({ text }) => text)];
  const known = (wanted: string): boolean => texts.some((text) => text.includes(wanted));
  const names = findIdentifiers(summary).filter(isName);
  const isKnown = (name: Identifier): boolean =>
    name.kind === "number" ? hasNumber(texts, name.text) : formsOf(name).some(known) || isPutTogether(name, known);
  const unknown = names.filter((name) => !isKnown(name)).map(({ text }) => text);
  return [...new Set([...unknown, ...unknownMeasures(summary, texts)])];
}

function isName({ text, kind }: Identifier): boolean {
  if (kind === "constant" || kind === "symbol") return /[_.:#>$]|[a-z][A-Z]/.test(text) || CODE.test(text);
  if (kind === "number") return /\d{3}/.test(text);
  return kind !== "flag" || !COMMON.test(text);
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

function unknownMeasures(summary: string, texts: readonly string[]): string[] {
  const measures = summary.match(MEASURE) ?? [];
  return measures.filter((measure) => /\d\D*\d/.test(measure) && !hasNumber(texts, measure));
}

/** Whether a text has the number by itself, with or without marks between its thousands. */
function hasNumber(texts: readonly string[], text: string): boolean {
  const digits = /\d[\d,._:]*/.exec(text)?.[0].replace(/\D+$/, "") ?? text;
  const whole = digits.replaceAll(/[,_](?=\d{3})/g, "");
  const loose = [...whole].map((digit) => (/\d/.test(digit) ? digit : `\\${digit}`)).join("[,_]?");
  const pattern = new RegExp(`(?<![\\d.])${loose}(?!\\d)`);
  return texts.some((each) => pattern.test(each));
}
