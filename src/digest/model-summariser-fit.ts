import type { TokenCounter } from "../tokens/counter.js";
import { leftOutLine, type SectionName } from "./model-summariser-lines.js";
import { mapSections, renderSections, type Sections } from "./model-summariser-sections.js";

/** What is given up first where notes are too long: the oldest of what is settled, and last what binds. */
const GIVEN_UP: readonly SectionName[] = [
  "earlier",
  "done",
  "files",
  "errors",
  "decisions",
  "next",
  "open",
  "constraints",
  "goal",
];

export interface FitOptions {
  readonly maxTokens: number;
  readonly counter: TokenCounter;
  /** Items left out before. */
  readonly left: number;
}

export interface FittedNotes {
  readonly sections: Sections;
  readonly left: number;
  readonly text: string;
}

/** The notes in at most so many tokens: items are left out whole, oldest first, and the text says how many. */
export function fitSections(sections: Sections, { maxTokens, counter, left }: FitOptions): FittedNotes {
  const text = renderNotes(sections, left);
  const over = counter.text(text) - maxTokens;
  const fewer = over > 0 ? giveUp(sections, over, counter) : { sections, count: 0 };
  if (fewer.count === 0) return { sections, left, text };
  return fitSections(fewer.sections, { maxTokens, counter, left: left + fewer.count });
}

const renderNotes = (sections: Sections, left: number): string =>
  [renderSections(sections), ...(left > 0 ? [leftOutLine(left)] : [])].join("\n\n");

/** Leaves out items of the first section that has any, until so many tokens are saved. */
function giveUp(sections: Sections, over: number, counter: TokenCounter): { sections: Sections; count: number } {
  const name = GIVEN_UP.find((each) => sections[each].length > 0);
  if (name === undefined) return { sections, count: 0 };
  let saved = 0;
  let count = 0;
  for (const item of sections[name]) {
    if (saved >= over) break;
    saved += counter.text(item) + 2;
    count++;
  }
  return { sections: mapSections(sections, (items, each) => (each === name ? items.slice(count) : items)), count };
}
