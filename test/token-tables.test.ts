import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "varve-tables-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("carries the tokens of the encodings as gpt-tokenizer finds them", () => {
  execFileSync(process.execPath, ["scripts/token-tables.mjs", folder]);
  for (const name of ["o200k.bin", "cl100k.bin"])
    expect(readFileSync(join("assets", name)).equals(readFileSync(join(folder, name)))).toBe(true);
});
