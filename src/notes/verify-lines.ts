/** A summary line by line. */
import { headingOf, unlisted } from "./model-statements.js";
import { has, ROLES, type Role } from "./verify-terms.js";

/** A sentence of a statement. */
export interface Line {
  readonly said: string;
  readonly role: Role | undefined;
}

/** A line of a summary; a heading is one that states nothing. */
export interface Statement {
  readonly text: string;
  readonly isHeading: boolean;
  /** Whether the summary before had it already. */
  readonly isCarried: boolean;
  readonly lines: readonly Line[];
}

/** Names the entries that a statement rests on. */
const REFERENCE = /\[[a-z]{0,3}\d+(?:\s*[-–,]\s*[a-z]{0,3}\d+)*\]\.?\s*$/i;
const PREFIX = /^(\p{L}[\p{L} ]{1,24})[:：]\s*(?=\S)/u;

export function statementsOf(summary: string, previous: string): Statement[] {
  const plain = (line: string) => unlisted(line).toLowerCase();
  const carried = new Set(previous.split("\n").map(plain));
  let under: Role | undefined;
  return summary.split("\n").map((text) => {
    const title = headingOf(text);
    if (title !== undefined) under = roleOf(title);
    const isHeading = title !== undefined || !/[\p{L}\p{N}]/u.test(text);
    const said = isHeading ? "" : unlisted(text).replace(REFERENCE, "");
    const prefix = PREFIX.exec(said);
    const own = prefix === null ? undefined : roleOf(prefix[1]!);
    const sentences = (own === undefined ? said : said.slice(prefix![0].length)).split(/(?<=[.!?])\s+|(?<=[。！？])/);
    const lines = isHeading ? [] : sentences.map((sentence) => ({ said: sentence, role: own ?? under }));
    return { text, isHeading, isCarried: carried.has(plain(text)), lines };
  });
}

const roleOf = (title: string): Role | undefined =>
  (Object.keys(ROLES) as Role[]).find((role) => has(ROLES[role], title));
