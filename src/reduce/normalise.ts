/**
 * Terminal control in a text is not content: colours, cursor moves, and the earlier states of a progress bar that
 * rewrites its line. Line numbers do not change: only what stands between two newlines does.
 */
const ESCAPE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are control characters
  /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b\n]{0,2048}(?:\u0007|\u001b\\)|[()][0-9A-Za-z]|[=>78MDEHc])/g;

/**
 * The text as a terminal would show it in the end.
 *
 * @example
 * ```ts
 * normaliseTerminal("10 %\r99 %\r\n\u001b[31mred\u001b[0m"); // "99 %\nred"
 * ```
 */
export function normaliseTerminal(text: string): string {
  return collapseRewrites(text.includes("\u001b") ? text.replace(ESCAPE, "") : text);
}

/** Of each line only what follows its last carriage return, apart from those that belong to the line's end. */
function collapseRewrites(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (let at = text.indexOf("\r"); at >= 0; at = text.indexOf("\r", done)) {
    const start = Math.max(done, text.lastIndexOf("\n", at) + 1);
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    parts.push(text.slice(done, start), lastState(text.slice(start, end)));
    done = end;
  }
  return done === 0 ? text : parts.join("") + text.slice(done);
}

function lastState(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end--;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}
