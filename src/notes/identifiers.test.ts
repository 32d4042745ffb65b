import { describe, expect, it } from "vitest";
import { cpuTime } from "../../test/support/cpu-time.js";
import { findIdentifiers } from "./identifiers.js";

const found = (text: string) => findIdentifiers(text).map(({ kind, text: word }) => `${kind} ${word}`);

describe("findIdentifiers", () => {
  it("tells kinds by shape", () => {
    expect(found("see src/app.ts and https://x.io/a#b, mail a.b@c.de, run --watch")).toEqual([
      "path src/app.ts",
      "url https://x.io/a#b",
      "email a.b@c.de",
      "flag --watch",
    ]);
    expect(found("getUserById MAX_RETRIES foo_bar react-dom UserService.java user.name")).toEqual([
      "symbol getUserById",
      "constant MAX_RETRIES",
      "symbol foo_bar",
      "symbol react-dom",
      "file UserService.java",
      "file user.name",
    ]);
    expect(found("commit 3f2a9c1 of 2024-05-01, v1.2.3, HAT170, TS2345, 5680 passed")).toEqual([
      "id 3f2a9c1",
      "date 2024-05-01",
      "version v1.2.3",
      "id HAT170",
      "id TS2345",
      "number 5680",
    ]);
  });

  it("leaves ordinary words alone", () => {
    expect(found("The agent read the file and then it stopped, didn't it?")).toEqual([]);
  });

  it("takes line numbers and punctuation off, and escapes for what they stand for", () => {
    expect(found("at src/retry.ts:20:5).")).toEqual(["path src/retry.ts"]);
    expect(found('{"path":"a/b.ts"}\\nsrc/next.ts')).toEqual(["path a/b.ts", "path src/next.ts"]);
  });

  it("says where each stands", () => {
    for (const { text, start, end } of findIdentifiers('x "src/a.ts", foo_bar (v1.2.3)')) {
      expect('x "src/a.ts", foo_bar (v1.2.3)'.slice(start, end)).toBe(text);
    }
  });

  it("skips data, in linear time", async () => {
    const data = "A1b2".repeat(500_000);
    expect(await cpuTime(() => expect(findIdentifiers(data)).toEqual([]))).toBeLessThan(2_000);
  });
});
