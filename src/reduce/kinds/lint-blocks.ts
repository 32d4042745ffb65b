import { TIER } from "../line-rules.js";
import type { SourceLines } from "../source-lines.js";

/**
 * Complaints that take a block each: a heading with the place and the name of the rule, a rule of dashes to the edge
 * of the terminal, then what is wrong, with its code. Biome prints them so.
 */
export const BLOCK_HEADING =
  /^\S{1,200}:\d+:\d+ (?:lint|assist|format|parse|suppressions|syntax|plugin)\b|^(?:\S{1,200} )?[a-zA-Z/]{2,40} (?: FIXABLE {1,2})?━{5}/;
const MESSAGE = /^ {2}([×✖!]) \S/;
/** A complaint in the form that GitHub shows beside the code. */
export const ANNOTATION = /^::(?:error|warning|notice)(?: |::)/;

/** Between a heading and what is wrong stands a blank line. */
const MOST_BETWEEN = 2;
const HEAD = 240;

interface Block {
  readonly heading: number;
  readonly message: number;
  readonly isGrave: boolean;
}

function* findBlocks(lines: SourceLines): Generator<Block> {
  for (let heading = 0; heading < lines.count; heading++) {
    if (!BLOCK_HEADING.test(lines.head(heading, HEAD))) continue;
    const end = Math.min(lines.count, heading + 2 + MOST_BETWEEN);
    for (let message = heading + 1; message < end; message++) {
      const [, sign] = MESSAGE.exec(lines.head(message, HEAD)) ?? [];
      if (sign === undefined) continue;
      yield { heading, message, isGrave: sign !== "!" };
      break;
    }
  }
}

/** Heading and message of each block get one tier; the first block of each rule outranks the others. */
export function scoreBlocks(lines: SourceLines, tiers: Uint8Array): void {
  const seen = new Set<string>();
  for (const { heading, message, isGrave } of findBlocks(lines)) {
    const rule = ruleOf(lines.head(heading, HEAD));
    const [first, further] = isGrave ? [TIER.error, TIER.detail] : [TIER.place, TIER.repeat];
    const tier = seen.has(rule) ? further : first;
    seen.add(rule);
    tiers[heading] = tier;
    tiers[message] = tier;
  }
}

/** Ties the heading and the message of each block to one another. */
export function tieBlocks(lines: SourceLines): Uint32Array {
  const partners = new Uint32Array(lines.count);
  for (const { heading, message } of findBlocks(lines)) {
    partners[heading] = message + 1;
    partners[message] = heading + 1;
  }
  return partners;
}

function ruleOf(heading: string): string {
  return /(?:^| )((?:[a-z]+\/)*[a-zA-Z]+) +(?:FIXABLE +)?━/.exec(heading)?.[1] ?? heading;
}

/** An annotation without its place: the title names the rule, where there is one. */
export function annotationSort(line: string): string {
  const title = /[ ,]title=([^,:]*)/.exec(line)?.[1];
  const level = line.slice(2, line.indexOf(" ", 2));
  return title === undefined ? `${level} ${line.slice(line.indexOf("::", 2))}` : `${level} ${title}`;
}
