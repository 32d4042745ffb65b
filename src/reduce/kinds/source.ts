import { type LineRule, liftEdges, scoreByRules, TIER } from "../line-rules.js";
import type { SourceLines } from "../source-lines.js";

/** A line number that a tool put before the line: `cat -n`, `12: `, `12|`, `12→`. */
const NUMBER = String.raw`^(?:\s*\d+(?:\t|→|[:|] ?| {2}))?`;

const DECLARATION = new RegExp(
  `${NUMBER}\\s{0,8}(?:export |default |public |private |protected |internal |static |abstract |final |async |pub(?:\\(\\w+\\))? |unsafe |extern |inline |virtual |override |declare |sealed |partial ){0,4}(?:class|interface|enum|struct|trait|impl|type|function|fn|def|func|module|namespace|protocol|object|record|macro_rules!|template)\\b`,
);
const IMPORT = new RegExp(`${NUMBER}(?:import|from|#include|use|using|require|package|const \\w+ = require)\\b`);
const TOP = new RegExp(`${NUMBER}(?:const|let|var|final|static|[A-Z_]{3,} ?=)\\b`);
const METHOD = new RegExp(`${NUMBER}\\s{2,8}[A-Za-z_][^;=]{0,160}\\) ?[^;()]{0,40}\\{$`);
const COMMENT = new RegExp(`${NUMBER}\\s*(?:\\/\\/|\\/\\*|\\*|#(?!include)|--|""")`);
const TODO = /\b(?:TODO|FIXME|XXX|HACK|BUG)\b/;

const RULES: readonly LineRule[] = [
  [DECLARATION, TIER.place],
  [TODO, TIER.notice],
  [METHOD, TIER.detail],
  [TOP, TIER.edge],
  [IMPORT, TIER.repeat],
];

const STATEMENT = new RegExp(
  `[{};]\\s*$|${NUMBER}\\s*(?:return|if|for|while|else|elif|try|except|match|switch)\\b.{0,200}[:{(]?$|${NUMBER}\\s*[\\w.]+ ?(?:=|\\+=|:=) \\S`,
);

/** Whether a line looks like code: a declaration, a statement, a comment. */
export function isCode(line: string): boolean {
  return [DECLARATION, IMPORT, COMMENT, STATEMENT].some((pattern) => pattern.test(line));
}

/** An outline: what is declared, with the numbers of the lines between. */
export function scoreSource(lines: SourceLines): Uint8Array {
  return liftEdges(scoreByRules(lines, RULES), { first: 3, last: 1 });
}
