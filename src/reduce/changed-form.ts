import { type Excerpt, type ExcerptRequest, excerpt } from "./excerpt.js";
import { HEAD_MARK_FROM, headMark } from "./marks.js";
import { type CountTokens, fitsWithin } from "./measure.js";
import { shortenText } from "./shorten-text.js";
import { type SourceLines, sourceLines } from "./source-lines.js";

/**
 * A text that is shown in another form than it was written in, such as a page as the text that its reader sees. It
 * always opens with a mark that says so, even if all of the form fits: the form may lack what the source has.
 */
export interface ChangedForm extends Pick<ExcerptRequest, "tierShare" | "headShare"> {
  readonly text: string;
  readonly source: string;
  /** What the form is, for the mark: in short, and with the size of its source. */
  readonly name: string;
  readonly fullName: string;
  readonly score: (lines: SourceLines) => Uint8Array;
  readonly maxTokens: number;
  readonly count: CountTokens;
}

export interface FormExcerpt extends Excerpt {
  /** Whether all of the form is shown. */
  readonly whole: boolean;
}

export function excerptForm(form: ChangedForm): FormExcerpt {
  const { text, maxTokens, count } = form;
  const lines = sourceLines(text);
  const head = formHead(form, lines.count);
  const room = maxTokens - count(head) - 1;
  // Where there is no room for the mark, the source shows at least where it is cut.
  if (room < 1) return { text: shortenText(form.source, { maxTokens, counter: count }), linesOmitted: 0, whole: false };
  if (fitsWithin(text, room, count)) return { text: `${head}\n${text}`, linesOmitted: 0, whole: true };
  return { ...excerptBelow(form, { head, lines, room }), whole: false };
}

function formHead({ name, fullName, maxTokens }: ChangedForm, count: number): string {
  return maxTokens < HEAD_MARK_FROM ? headMark(name) : headMark(fullName, `${count} ${count === 1 ? "line" : "lines"}`);
}

interface Place {
  readonly head: string;
  readonly lines: SourceLines;
  readonly room: number;
}

function excerptBelow(form: ChangedForm, { head, lines, room }: Place): Excerpt {
  const { text, fullName, score, maxTokens, count, tierShare = 1, headShare = 0.4 } = form;
  if (lines.count < 2) {
    return { text: `${head}\n${shortenText(text, { maxTokens: room, counter: count })}`, linesOmitted: 0 };
  }
  const request = { lines, tiers: score(lines), kind: fullName, count, tierShare, headShare };
  // An excerpt has a head of its own where there is room for one.
  if (maxTokens >= HEAD_MARK_FROM) return excerpt({ ...request, maxTokens });
  const { text: short, linesOmitted } = excerpt({ ...request, maxTokens: room });
  return { text: `${head}\n${short}`, linesOmitted };
}
