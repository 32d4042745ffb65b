/**
 * Text of others inside a frame of ours: what a tool, a page, a memory or a person said. It can neither close the frame nor
 * pass for another part of it; only the few signs that could are changed.
 */

/** Signs that begin a tag, or look as if they did. */
const OPENING = /[<＜﹤‹〈〈⟨❮]/gu;
/** What a reader might take for a frame or for a message of the system, once accents and hidden signs are gone. */
const POSING =
  /^\/*(?:memor|system|assistant|developer|human\b|user\b|instruction)|^\/+(?:context|conversation|notes)|^(?:context|conversation|notes)>/;
const LOOKAHEAD = 40;
/** Letters that nobody sees: text written in them is hidden from people alone. */
const HIDDEN = /[\u{E0000}-\u{E007F}]/gu;
/** Marks by which chat templates tell roles apart. */
const TEMPLATE = /<(?=\|)|<(?=\/?(?:s|start_of_turn|end_of_turn)>)|\[(?=\/?(?:INST|SYS)\])|<(?=<\/?SYS>)/gi;
const QUOTE = "> ";

/** What can be told of a text's first words at a glance: its letters and signs alone. */
const plain = (text: string): string =>
  text
    .slice(0, LOOKAHEAD)
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}\s]/gu, "")
    .toLowerCase();

/** Without what nobody sees. */
export const visible = (text: string): string => text.replace(HIDDEN, "");

/** A sign that may begin a tag of a note of ours: nearly all others can be told by the letter behind it. */
const MAYBE_NOTE = /[<＜﹤‹〈〈⟨❮](?![\s/]*[a-rt-zA-RT-Z0-9!=?-])/gu;
const NOTE = /^\/*system\p{P}?note/u;

/** Text that stands beside notes of the system, and may hold any tag but theirs. */
export const withoutNotes = (text: string): string =>
  text.replace(MAYBE_NOTE, (sign, at: number, whole: string) =>
    NOTE.test(plain(whole.slice(at + 1, at + 1 + LOOKAHEAD))) ? "&lt;" : sign,
  );

/** What a system message says, for a provider that takes none in its place: the one text that may have this tag. */
export const systemNote = (text: string): string => `<system-note>${withoutNotes(text)}</system-note>`;

/** The text as it may stand in a frame. Where lines of the frame begin with headings, they are given in small letters. */
export function foreignText(text: string, headings: readonly string[] = []): string {
  const encoded = visible(text)
    .replace(OPENING, (sign, at: number, whole: string) =>
      POSING.test(plain(whole.slice(at + 1, at + 1 + LOOKAHEAD))) ? "&lt;" : sign,
    )
    .replace(TEMPLATE, (sign) => (sign === "[" ? "&#91;" : "&lt;"));
  const isHeading = (line: string): boolean => {
    const start = plain(line.trimStart()).replace(/^[^\p{L}[]+/u, "");
    return headings.some((heading) => start.startsWith(heading));
  };
  return headings.length === 0 ? encoded : encoded.replace(/^.+/gm, (line) => (isHeading(line) ? QUOTE + line : line));
}
