import { describe, expect, test } from "vitest";
import { LiveArea } from "./live-area.js";

/** A terminal that does what the escape codes of a live area say, and remembers its lines. */
class FakeTerminal {
  readonly lines: string[] = [""];
  cursorHidden = false;
  columns = 20;
  #row = 0;

  write(text: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are what is read here
    for (const [piece] of text.matchAll(/\u001b\[[?\d]*[A-Za-z]|[\r\n]|[^\u001b\r\n]+/g)) this.#take(piece);
  }

  #take(piece: string): void {
    if (piece === "\u001b[?25l") this.cursorHidden = true;
    else if (piece === "\u001b[?25h") this.cursorHidden = false;
    else if (piece === "\u001b[J") this.lines.length = this.#row + 1;
    else if (piece.endsWith("A")) this.#row -= Number.parseInt(piece.slice(2), 10);
    else if (piece === "\n") this.#row++;
    else if (piece === "\u001b[K" || piece === "\r" || piece.startsWith("\u001b[?2026")) return;
    else this.lines[this.#row] = piece;
    this.lines[this.#row] ??= "";
  }
}

describe("a live area", () => {
  test("draws again in place, and lets lines above it stay", () => {
    const terminal = new FakeTerminal();
    const area = new LiveArea(terminal);
    area.draw(["one", "two"]);
    area.draw(["three", "four"], ["happened"]);
    expect(terminal.lines).toEqual(["happened", "three", "four", ""]);
    area.draw(["five"], ["again"]);
    expect(terminal.lines).toEqual(["happened", "again", "five", ""]);
  });

  test("goes up as far as the last frame takes on a terminal that was made narrower", () => {
    const terminal = new FakeTerminal();
    const area = new LiveArea(terminal);
    area.draw(["0123456789abcdef", "x"]);
    terminal.columns = 8;
    const written: string[] = [];
    terminal.write = (text) => void written.push(text);
    area.draw(["y"]);
    expect(written.join("")).toContain("\u001b[3A");
  });

  test("hides the cursor while it is open, and only then", () => {
    const terminal = new FakeTerminal();
    const area = new LiveArea(terminal);
    expect(terminal.cursorHidden).toBe(false);
    area.draw(["one"]);
    expect(terminal.cursorHidden).toBe(true);
    area.close();
    expect(terminal.cursorHidden).toBe(false);
  });

  test("writes nothing when it is closed without a frame, or twice", () => {
    const written: string[] = [];
    const area = new LiveArea({ write: (text) => written.push(text) });
    area.close();
    expect(written).toEqual([]);
    area.draw([]);
    area.close();
    const count = written.length;
    area.close();
    expect(written).toHaveLength(count);
  });
});
