/**
 * What a model or a tool says may hold codes that move the cursor or turn the direction of writing, and so show another
 * text than the one that is meant. None of them reaches the terminal.
 */
const CODES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A text for reading: without codes. */
export const readable = (text: string): string => text.replace(CODES, "");

/** A text to decide on: each code is shown by its number, so that nothing of it is hidden. */
export const visible = (text: string): string =>
  text.replace(CODES, (code) => `\\u{${code.codePointAt(0)?.toString(16)}}`);
