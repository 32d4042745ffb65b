import { describe, expect, it } from "vitest";
import { cpuTime } from "../../test/support/cpu-time.js";
import { linesOf } from "./lines.js";

async function read(pieces: Iterable<string>): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(pieces)) lines.push(line);
  return lines;
}

describe("lines out of pieces", () => {
  it("are the same however the text is cut", async () => {
    const text = "\uFEFFone\n\ntwo\nthree";
    for (let size = 1; size <= text.length; size++) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, at * size + size),
      );
      expect(await read(pieces)).toEqual(["one", "two", "three"]);
    }
  });

  it("take time in proportion to a line, however many pieces it comes in", async () => {
    const time = (count: number) => cpuTime(() => read(Array.from({ length: count }, () => "x".repeat(1_000))));
    await time(100);
    expect(await time(16_000)).toBeLessThan(8 * (await time(4_000)) + 150);
  });

  it("that are longer than a text can be are refused", async () => {
    const piece = "x".repeat(100_000_000);
    await expect(read(Array.from({ length: 5 }, () => piece))).rejects.toMatchObject({ code: "too-large" });
  });
});
