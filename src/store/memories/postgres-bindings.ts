/** Conditions of statements, with the values that they name. */

import { escaped } from "../drivers/escaped-text.js";
import { type MemoryQuestion, OWNERS, type ScopeParts } from "./memories.js";
import { lexemeOf, queryText, scopeLexemes } from "./postgres-lexemes.js";

/** The values of a statement, in the order in which its text names them. */
export class Bindings {
  readonly values: unknown[] = [];

  /** What the text says for a value. */
  bind(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }
}

/** What an owner is known by in the table of scopes. */
export const ownerMark = lexemeOf;

/** What is true of the scopes `s` whose memories a reader sees, tags aside. */
export function ownersCondition(scope: ScopeParts, bindings: Bindings): string {
  const owners = OWNERS.flatMap((owner) => {
    const value = scope[owner];
    return value === undefined ? [] : [`s."${owner}" = ${bindings.bind(ownerMark(value), "text")}`];
  });
  return all(owners);
}

/** What is true of the memories `m` of scopes `s` that a reader sees. */
export function rowCondition(scope: ScopeParts, bindings: Bindings): string {
  const { tags = [] } = scope;
  const tagged = tags.length === 0 ? [] : [`m.tags @> ${bindings.bind(tags.map(escaped), "text[]")}`];
  return all([ownersCondition(scope, bindings), ...tagged]);
}

/** Where a search looks: what a reader sees of what a question allows. */
export interface SearchRange {
  readonly scope: ScopeParts;
  readonly question: Pick<MemoryQuestion, "from" | "to" | "openAt">;
}

/** What is true of the passages `p` in a range, with one of some lexemes where there are some. */
export function passageCondition(range: SearchRange, bindings: Bindings, lexemes: readonly string[] = []): string {
  const query = queryText(lexemes, scopeLexemes(range.scope));
  const found = query === "" ? [] : [`p.terms @@ ${bindings.bind(query, "tsquery")}`];
  return all([...found, ...timeConditions(range, bindings)]);
}

/** Whether a range leaves passages out by what the table of vectors does not know. */
export const isNarrow = ({ scope, question: { from, to, openAt } }: SearchRange): boolean =>
  (scope.tags ?? []).length > 0 || [from, to, openAt].some((time) => time !== undefined);

function timeConditions({ question: { from, to, openAt } }: SearchRange, bindings: Bindings): string[] {
  return [
    ...(from === undefined ? [] : [`p.time >= ${bindings.bind(from, "float8")}`]),
    ...(to === undefined ? [] : [`p.time < ${bindings.bind(to, "float8")}`]),
    ...(openAt === undefined ? [] : [`(p.until IS NULL OR p.until > ${bindings.bind(openAt, "float8")})`]),
  ];
}

const all = (conditions: readonly string[]): string =>
  conditions.length === 0 ? "true" : conditions.map((condition) => `(${condition})`).join(" AND ");
