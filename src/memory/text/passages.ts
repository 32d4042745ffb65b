import { safeCut } from "../../reduce/safe-cut.js";

/** A passage holds about this many characters: a few sentences, one thought. */
const LENGTH = 400;
const SENTENCE = /[^.!?\n。！？]+[.!?\n。！？]*|[.!?\n。！？]+/g;

/** A text in passages at the ends of sentences; a sentence that is longer than a passage is cut. */
export function passagesOf(text: string): string[] {
  if (text.length <= LENGTH) return [text];
  const passages: string[] = [];
  let open = "";
  for (const [sentence] of text.matchAll(SENTENCE)) {
    if (open !== "" && open.length + sentence.length > LENGTH) {
      passages.push(open);
      open = "";
    }
    open += sentence;
    while (open.length > 2 * LENGTH) {
      const end = safeCut(open, LENGTH);
      passages.push(open.slice(0, end));
      open = open.slice(end);
    }
  }
  if (open !== "") passages.push(open);
  return passages;
}
