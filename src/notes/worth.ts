import type { IdentifierIndex } from "./identifier-index.js";
import { likelihood } from "./likelihood.js";

/** What covering an identifier, or the naming of a thing, adds to notes. */
export type Worth = (identifier: string) => number;

/** Messages after which what was said or named is worth half as much. */
export const HALF_LIFE = 100;
/** Worth of the line that names a thing in a call: what was made, read or asked for is part of the story. */
const NAME_WORTH = 0.25;

const NAME = "\u0001";

/** The naming of a thing in a call, as something to cover once, beside the identifier itself. */
export const named = (identifier: string): string => NAME + identifier;
export const isNaming = (identifier: string): boolean => identifier.startsWith(NAME);

export interface WorthInput {
  readonly index: IdentifierIndex;
  /** Length of the log. */
  readonly now: number;
  /** Identifiers that the view shows in any case. */
  readonly shown?: ReadonlySet<string>;
  /** Worth of an identifier that the index does not know. */
  readonly unknown?: number;
}

/** Worth by how likely the agent is to use an identifier again. */
export function worthIn({ index, now, shown, unknown = 0 }: WorthInput): Worth {
  const known = new Map<string, number>();
  const appraise = (identifier: string): number => {
    if (isNaming(identifier)) {
      const lastCall = index.record(identifier.slice(NAME.length))?.lastCall ?? 0;
      return NAME_WORTH / (1 + (now - lastCall) / HALF_LIFE);
    }
    if (shown?.has(identifier)) return 0;
    const record = index.record(identifier);
    return record === undefined ? unknown : likelihood(identifier, record, now);
  };
  return (identifier) => {
    const before = known.get(identifier);
    if (before !== undefined) return before;
    const worth = appraise(identifier);
    known.set(identifier, worth);
    return worth;
  };
}
