import type { WriteStream } from "node:tty";
import { colourDepth, createInk, type Ink } from "./colour.js";

/** What a command writes to. In a pipe there is no width and no height. */
export type ScreenOutput = Pick<WriteStream, "write"> &
  Partial<Pick<WriteStream, "isTTY" | "columns" | "rows" | "getColorDepth">>;

/** An output with the ink to write on it. */
export interface Screen {
  readonly output: ScreenOutput;
  readonly ink: Ink;
  /** Whether frames can be drawn in place: a terminal too narrow for them would break their lines. */
  readonly isLive: boolean;
  /** Whether lines must fit its width; in a pipe nothing is cut off. */
  readonly isBounded: boolean;
  /** Columns that a line may take; a terminal may change while it is written on. */
  width(): number;
  print(lines: readonly string[]): void;
}

const DEFAULT_WIDTH = 80;
const LEAST_WIDTH = 36;

/** Finds out what an output can do. The last column stays free: some terminals break the line when it is written. */
export function openScreen(output: ScreenOutput, color: boolean, environment: NodeJS.ProcessEnv): Screen {
  const isTerminal = output.isTTY === true;
  const columns = (): number => output.columns || Number(environment.COLUMNS) || DEFAULT_WIDTH;
  const depth = colourDepth({ color, environment, isTerminal, bits: output.getColorDepth?.() });
  return {
    output,
    ink: createInk(depth),
    isLive: isTerminal && environment.TERM !== "dumb" && columns() > LEAST_WIDTH,
    isBounded: isTerminal || Boolean(environment.COLUMNS),
    width: () => Math.max(LEAST_WIDTH, columns() - 1),
    print: (lines) => void output.write(lines.map((line) => `${line}\n`).join("")),
  };
}
