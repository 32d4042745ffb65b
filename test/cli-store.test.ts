/** `varve store …`, run as a person runs it, on a store with a flipped bit. */
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outputSchemas } from "../src/cli/output/schemas.js";
import { openVarve } from "../src/index.js";
import { type BuiltPackage, buildPackage } from "./support/built-package.js";
import { type Finished, run } from "./support/command-line.js";

const FOLDER = mkdtempSync(join(tmpdir(), "varve-cli-store-"));
let built: BuiltPackage;
beforeAll(async () => {
  built = await buildPackage();
}, 60_000);
afterAll(() => {
  built?.remove();
  rmSync(FOLDER, { recursive: true, force: true });
});

const varve = (store: string, ...parameters: string[]): Promise<Finished> =>
  run(process.execPath, [built.main, ...parameters, "--store", store], {
    variables: { XDG_CONFIG_HOME: join(FOLDER, "home"), APPDATA: join(FOLDER, "home") },
    folder: FOLDER,
  });

async function fill(store: string, said = ["The port is 5030.", "It is 5031 on staging."]): Promise<void> {
  const open = await openVarve({ store });
  const session = await open.session("ann:coder:1", { window: 8_000 });
  for (const content of said) await session.append({ role: "user", content });
  await open.close();
}

/** One bit makes another number of it. */
function flip(file: string): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf("5030") + 3;
  bytes[at] = bytes[at]! ^ 1;
  writeFileSync(file, bytes);
}

function checked(stdout: string): Record<string, unknown> {
  const document = JSON.parse(stdout);
  expect(outputSchemas[document.command]?.safeParse(document).error?.issues ?? []).toEqual([]);
  return document;
}

describe.each([
  ["sqlite", "sqlite:flipped.db", "flipped.db"],
  ["file", "file:./flipped", "flipped/ann%3acoder%3a1.log.jsonl"],
])("a flipped bit in the %s store", (name, store, file) => {
  test("is found by verify and doctor, and repaired with a backup and everything else", async () => {
    await fill(store.replace(":", `:${FOLDER}/`));
    const well = await varve(store, "store", "verify");
    expect(well).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("1 session, 2 entries") });
    expect((await varve(store, "store", "repair")).stdout).toContain("nothing to repair");
    flip(join(FOLDER, file));

    const found = await varve(store, "store", "verify", "--json");
    expect(found.code).toBe(1);
    expect(JSON.stringify(checked(found.stdout).faults)).toMatch(/e0.*ann:coder:1|ann:coder:1.*e0/);
    const dry = await varve(store, "store", "repair", "--dry-run");
    expect(dry).toMatchObject({ code: 1, stdout: expect.stringContaining("Nothing was changed.") });
    const doctor = await varve(store, "doctor", "--window", "8000");
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/FAILED\s+integrity\s[\s\S]*damaged[\s\S]*varve store verify/);

    const repaired = checked((await varve(store, "store", "repair", "--json")).stdout);
    const backup = join(String(repaired.backup), file.slice("flipped".length).replace(/^\.db$/, ""));
    expect(readFileSync(backup, "latin1")).toContain("The port is 5031.");
    expect((await varve(store, "store", "verify")).code).toBe(0);
    const { entries } = JSON.parse((await varve(store, "session", "show", "ann:coder:1", "--json")).stdout);
    expect(entries.map(({ text }: { text: string }) => text)).toEqual([
      expect.stringContaining("damaged in the store and is gone"),
      "It is 5031 on staging.",
    ]);
  }, 60_000);

  test("stays out of a copy that backup made before", async () => {
    const place = store.replace("flipped", "copied");
    await fill(place.replace(":", `:${FOLDER}/`));
    const target = `${name}-copy`;
    const copied = checked((await varve(place, "store", "backup", target, "--json")).stdout);
    expect(copied.target).toBe(join(FOLDER, target));
    expect((await varve(place, "store", "backup", target)).code).toBe(2);
    flip(join(FOLDER, file.replace("flipped", "copied")));
    expect((await varve(place, "store", "verify")).code).toBe(1);
    expect((await varve(`${name}:${target}`, "store", "verify")).stdout).toContain("1 session, 2 entries");
  }, 60_000);
});

describe("a SQLite file that SQLite itself refuses", () => {
  test("since it was cut short is repaired with a backup and everything that is left in it", async () => {
    const store = "sqlite:short.db";
    const said = Array.from({ length: 60 }, (_, at) => `${at} ${"word ".repeat(50)}`);
    await fill(store.replace(":", `:${FOLDER}/`), said);
    const path = join(FOLDER, "short.db");
    const size = statSync(path).size - 4096;
    truncateSync(path, size);
    expect((await varve(store, "session", "list")).code).toBe(1);
    const dry = await varve(store, "store", "repair", "--dry-run");
    expect(dry).toMatchObject({ code: 1, stdout: expect.stringContaining("Nothing was changed.") });
    expect((await varve(store, "session", "list")).code).toBe(1);
    const repaired = checked((await varve(store, "store", "repair", "--json")).stdout);
    expect(statSync(String(repaired.backup)).size).toBe(size);
    expect(JSON.stringify(repaired.faults)).toContain("cut short");
    const well = await varve(store, "store", "verify");
    expect(well).toMatchObject({ code: 0, stdout: expect.stringContaining("1 session, 60 entries") });
  }, 60_000);

  test("and of which nothing can be saved stays as it is, and is not told to be repaired", async () => {
    const path = join(FOLDER, "words.db");
    writeFileSync(path, "words ".repeat(2_000));
    const { code, stderr } = await varve("sqlite:words.db", "store", "repair");
    expect(code).toBe(1);
    expect(stderr).toContain("Nothing can be saved");
    expect(stderr).not.toContain("varve store repair");
    expect(readFileSync(path, "utf8")).toBe("words ".repeat(2_000));
  }, 60_000);
});
