const PIECE = /(?<space>\s+)|"(?<double>(?:\\.|[^"\\])*)"|'(?<single>[^']*)'|\\(?<escaped>.)|(?<plain>[^\s"'\\]+|.)/gs;

/** Whether a quote of a line has no end. */
export const isUnclosed = (line: string): boolean =>
  [...line.matchAll(PIECE)].some(({ groups }) => groups?.plain === '"' || groups?.plain === "'");

/**
 * The words of a line, as a shell would split it: quotes hold words together, a backslash takes the next character as it is.
 * A quote that nothing closes stands for itself.
 */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const { groups = {} } of line.trim().matchAll(PIECE)) {
    const { space, double, single, escaped, plain } = groups;
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word = (word ?? "") + (double?.replace(/\\(["\\])/g, "$1") ?? single ?? escaped ?? plain ?? "");
  }
  return word === undefined ? words : [...words, word];
}
