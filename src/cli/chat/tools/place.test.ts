import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPlace, type Place } from "./place.js";

const ROOT = realpathSync(mkdtempSync(join(tmpdir(), "varve-place-")));
const FOLDER = join(ROOT, "work");
let place: Place;

beforeAll(async () => {
  mkdirSync(join(FOLDER, "src"), { recursive: true });
  mkdirSync(join(FOLDER, ".git"));
  mkdirSync(join(ROOT, "work-beside"));
  writeFileSync(join(FOLDER, "src", "a.ts"), "a");
  writeFileSync(join(ROOT, "secret"), "s");
  writeFileSync(join(FOLDER, "..named"), "n");
  symlinkSync(ROOT, join(FOLDER, "up"));
  symlinkSync(join(ROOT, "secret"), join(FOLDER, "innocent.txt"));
  symlinkSync(join(ROOT, "not-yet"), join(FOLDER, "dangling"));
  symlinkSync(join(FOLDER, "src"), join(FOLDER, "inside"));
  place = await openPlace(FOLDER);
});
afterAll(() => rmSync(ROOT, { recursive: true, force: true }));

describe("the working folder", () => {
  test.each(["src/a.ts", "./src/../src/a.ts", join(FOLDER, "src", "a.ts"), "inside/a.ts"])("gives %s", async (path) => {
    expect(await place.existing(path)).toBe(join(FOLDER, "src", "a.ts"));
  });

  test("takes a name that begins with dots for a name", async () => {
    expect(place.shown(await place.existing("..named"))).toBe("..named");
  });

  test.each([
    "../secret",
    "..",
    "/etc/passwd",
    "up/secret",
    "innocent.txt",
    "up",
    "src/../../secret",
    "../work-beside",
  ])("refuses to read %s", async (path) => {
    await expect(place.existing(path)).rejects.toThrow(/lies outside/);
  });

  test.each(["../new", "/tmp/new", "up/new", "innocent.txt", "dangling", "up/deep/new", "../work-beside/new"])(
    "refuses to write %s",
    async (path) => {
      await expect(place.writable(path)).rejects.toThrow(/lies outside/);
    },
  );

  test("lets files be written that are not there, in folders that are not there", async () => {
    expect(await place.writable("src/deep/er/b.ts")).toBe(join(FOLDER, "src/deep/er/b.ts"));
    expect(await place.writable("inside/b.ts")).toBe(join(FOLDER, "src/b.ts"));
  });

  test.each(["varve.json", "VARVE.json", "deep/plugin.json"])("never lets %s be written", async (path) => {
    await expect(place.writable(path)).rejects.toThrow(/decides what varve itself does/);
  });

  test.each([".git/hooks/pre-commit", ".GIT/config", ".varve/varve.db"])("never lets %s be written", async (path) => {
    await expect(place.writable(path)).rejects.toThrow(/Nothing is written into/);
  });
});
