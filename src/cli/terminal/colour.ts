/**
 * Colours for a terminal whose background nobody knows: every tone is a middle one, with a contrast of at least 3 : 1
 * against black and against white. Without colour, text passes through unchanged.
 */
export type Tone = "muted" | "blue" | "violet" | "rose" | "orange" | "green" | "teal" | "brown" | "red";

/** How many colours may be used. */
export type ColourDepth = 0 | 16 | 256;

/** For each tone its place among 256 colours, and the nearest of the basic ones. */
export const TONES: Readonly<Record<Tone, { readonly of256: number; readonly of16: number }>> = {
  muted: { of256: 244, of16: 90 },
  blue: { of256: 68, of16: 34 },
  violet: { of256: 98, of16: 35 },
  rose: { of256: 168, of16: 95 },
  orange: { of256: 166, of16: 33 },
  green: { of256: 64, of16: 32 },
  teal: { of256: 31, of16: 36 },
  brown: { of256: 137, of16: 37 },
  red: { of256: 160, of16: 31 },
};

/** Writes text in colours, or plain. */
export interface Ink {
  readonly depth: ColourDepth;
  tone(tone: Tone, text: string): string;
  bold(text: string): string;
}

/**
 * An ink of the given depth.
 *
 * @example
 * ```ts
 * createInk(256).tone("red", "no"); // "\u001b[38;5;160mno\u001b[39m"
 * createInk(0).tone("red", "no"); // "no"
 * ```
 */
export function createInk(depth: ColourDepth): Ink {
  if (depth === 0) return { depth, tone: (_, text) => text, bold: (text) => text };
  return {
    depth,
    tone: (tone, text) => `\u001b[${depth === 256 ? `38;5;${TONES[tone].of256}` : TONES[tone].of16}m${text}\u001b[39m`,
    bold: (text) => `\u001b[1m${text}\u001b[22m`,
  };
}

export interface ColourWishes {
  /** The `--no-color` flag turns this to false. */
  readonly color: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  /** Bits of colour that the terminal reports; none in a pipe. */
  readonly bits?: number;
}

/** The depth to use. The flag comes first, then FORCE_COLOR, then NO_COLOR, then what the output is. */
export function colourDepth({ color, environment, isTerminal, bits = 8 }: ColourWishes): ColourDepth {
  const { FORCE_COLOR, NO_COLOR, TERM } = environment;
  if (!color) return 0;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR === "0" || FORCE_COLOR === "false" ? 0 : 256;
  if (NO_COLOR || !isTerminal || TERM === "dumb" || bits < 4) return 0;
  return bits < 8 ? 16 : 256;
}
