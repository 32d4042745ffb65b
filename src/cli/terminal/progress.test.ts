import { describe, expect, it } from "vitest";
import { formatDuration, Progress } from "./progress.js";

function open(isTTY: boolean) {
  const written: string[] = [];
  let time = 0;
  const output = { isTTY, columns: 40, write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
  const progress = new Progress(output, { total: 200, now: () => time });
  return {
    written,
    progress,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

describe("progress", () => {
  it("says on a terminal how far it is and how long it will take, and leaves no line behind", () => {
    const { written, progress, pass } = open(true);
    pass(4_000);
    progress.advance(50, "replaying");
    expect(written.at(-1)).toContain("25.0\u00a0%, 12 s left · replaying");
    pass(10);
    expect(progress.advance(1, "replaying")).toBe(false);
    progress.end();
    expect(written.at(-1)).toBe("\r\u001b[K");
  });

  it("never takes more than the line", () => {
    const { written, progress, pass } = open(true);
    pass(4_000);
    progress.advance(50, "a long name ".repeat(9));
    expect(written.at(-1)!.replace("\r\u001b[K", "").length).toBeLessThan(40);
  });

  it("says nothing in a pipe", () => {
    const { written, progress, pass } = open(false);
    pass(4_000);
    progress.advance(50, "replaying");
    progress.end();
    expect(written).toEqual([]);
  });
});

it.each([
  [850, "850 ms"],
  [12_400, "12 s"],
  [200_000, "3 min 20 s"],
  [7_500_000, "2 h 5 min"],
])("%d ms is %s", (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});
