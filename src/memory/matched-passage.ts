import { ELLIPSIS } from "../reduce/marks.js";
import type { MemoryHit } from "../store/memories/memories.js";
import { factTexts } from "./facts/fact-text.js";
import type { Memory } from "./memory.js";
import { type PassagePlace, placesOfPassages } from "./text/search-text.js";

/** The passage of a long text that a question matched; undefined where the text is short, or nothing matched. */
export function matchedPassage(memory: Memory, hit: MemoryHit | undefined): PassagePlace | undefined {
  if (hit === undefined || (hit.words === 0 && Object.keys(hit.cosines).length === 0)) return undefined;
  const { content, speaker = "", facts } = memory;
  const known = factTexts(facts);
  if (hit.passages - known.length <= 1) return undefined;
  const places = placesOfPassages({ content, speaker });
  const fact = known[hit.passage - places.length];
  return fact === undefined ? places[hit.passage] : places[placeOfValue(content, fact, places)];
}

/** Which passage the value of a fact stands in; -1 where none has it in these words. */
function placeOfValue(content: string, fact: string, places: readonly PassagePlace[]): number {
  const at = content.toLowerCase().indexOf(fact.slice(fact.indexOf(": ") + 2).toLowerCase());
  return at < 0 ? -1 : places.findIndex(({ end }) => end > at);
}

/** A memory that says one of its passages alone. */
export function partOf<M extends Memory>(memory: M, { start, end }: PassagePlace): M & { readonly partial: true } {
  const { content } = memory;
  const [before, after] = [start > 0 ? ELLIPSIS : "", end < content.length ? ELLIPSIS : ""];
  return { ...memory, content: `${before}${content.slice(start, end).trim()}${after}`, partial: true };
}
