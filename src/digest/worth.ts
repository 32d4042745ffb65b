import type { DigestItem, ItemGroup } from "./digest.js";
import type { IdentifierIndex } from "./identifier-index.js";
import { likelihood } from "./likelihood.js";
import { type Candidate, choose } from "./select.js";

/** What covering an identifier, or the naming of a thing, adds to a digest. */
export type Worth = (identifier: string) => number;

/** Messages after which what was said or named is worth half as much. */
const HALF_LIFE = 100;
/** Worth of the line that names a thing in a call: what was made, read or asked for is part of the story. */
const NAME_WORTH = 0.25;

const NAME = "\u0001";

/** The naming of a thing in a call, as something to cover once, beside the identifier itself. */
export const named = (identifier: string): string => NAME + identifier;

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
    if (identifier.startsWith(NAME)) {
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

/** Share of a digest that goes to what people said before identifiers are looked at: it is the story they belong to. */
const STORY_SHARE = 0.12;
const STORY: ReadonlySet<ItemGroup> = new Set<ItemGroup>(["Constraints", "User", "Decided"]);

/** Chooses the lines of a digest: first some of the story, then whatever is worth most. */
export function chooseLines<Item extends DigestItem>(
  items: readonly Item[],
  maxTokens: number,
  appraisal: Appraisal,
): Item[] {
  const candidates = aged(items, appraisal.now);
  const told = candidates.filter(({ item }) => STORY.has(item.group));
  const story = new Set(choose(told, maxTokens * STORY_SHARE, () => 0));
  const left = maxTokens - [...story].reduce((sum, { tokens }) => sum + tokens, 0);
  const covered = new Set([...story].flatMap(({ identifiers }) => identifiers));
  const rest = candidates.filter((candidate) => !story.has(candidate));
  const chosen = new Set(
    choose(rest, left, (identifier) => (covered.has(identifier) ? 0 : appraisal.worth(identifier))),
  );
  return withoutRepeats(candidates.filter((each) => story.has(each) || chosen.has(each)).map(({ item }) => item));
}

/** Leaves out what stands word for word in another line of the same message. */
function withoutRepeats<Item extends DigestItem>(items: readonly Item[]): Item[] {
  const byPosition = Map.groupBy(items, ({ position }) => position);
  const isRepeated = (item: Item): boolean =>
    byPosition.get(item.position)!.some((other) => other !== item && isPartOf(item.text, other.text));
  return items.filter((item) => item.position < 0 || !isRepeated(item));
}

const isPartOf = (text: string, other: string): boolean => text.length < other.length && other.includes(text);

export interface Appraisal {
  readonly worth: Worth;
  /** Length of the log. */
  readonly now: number;
}

/** What was said long ago matters less, but for what the user forbade or demanded. */
function aged<Item extends DigestItem>(items: readonly Item[], now: number): (Candidate & { item: Item })[] {
  return items.map((item) => {
    const { tokens, identifiers, bonus, group, position } = item;
    const age = group === "Constraints" || position < 0 ? 0 : (now - position) / HALF_LIFE;
    return { tokens, identifiers, bonus: bonus / (1 + age), item };
  });
}
