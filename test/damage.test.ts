import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openVarve, type Store, type VarveError } from "../src/index.js";
import { fileStore } from "../src/store/drivers/file.js";
import { sqliteStore } from "../src/store/drivers/sqlite.js";
import { user } from "./support/build.js";
import { contentsOf, expectNothingWrong, fillStore, spoilFile, withoutGone } from "./support/damage.js";

const folder = mkdtempSync(join(tmpdir(), "varve-damage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROUNDS = Number(process.env.VARVE_DAMAGE_ROUNDS ?? 250);
const SEED = Number(process.env.VARVE_DAMAGE_SEED ?? 1);

type Opened = (place: string, onWarning: (warning: VarveError) => void) => Promise<Store>;
const DRIVERS: Readonly<Record<string, Opened>> = {
  sqlite: (place, onWarning) => sqliteStore(join(place, "varve.db"), { onWarning }),
  file: (place, onWarning) => fileStore(place, { onWarning }),
};

/** The files that hold what was said, all in one number space. */
const filesIn = (place: string): string[] =>
  readdirSync(place, { recursive: true })
    .map((name) => join(place, String(name)))
    .filter((path) => statSync(path).isFile() && statSync(path).size > 0 && !path.endsWith(".lock"))
    .sort();

describe.each(Object.entries(DRIVERS))("a damaged place in the files of the %s store", (name, open) => {
  const whole = join(folder, `${name}-whole`);
  let former: ReadonlySet<string> = new Set();
  let before: Awaited<ReturnType<typeof contentsOf>>["contents"];
  beforeAll(async () => {
    const told: unknown[] = [];
    const store = await open(whole, (warning) => told.push(warning));
    const written = await fillStore(store);
    if (name === "file") former = written;
    const again = await open(whole, (warning) => told.push(warning));
    const { contents, errors } = await contentsOf(again);
    before = contents;
    await again.close();
    expect([...told, ...errors]).toEqual([]);
  }, 60_000);

  test("is told with a VarveError, and nothing else is read than was written", async () => {
    let seen = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const place = join(folder, `${name}-${round}`);
      cpSync(whole, place, { recursive: true });
      const files = filesIn(place);
      const file = files[(SEED + round) % files.length]!;
      const done = `round ${round}: ${spoilFile(file, SEED * 100_003 + round)} of ${file.slice(place.length)}`;
      const told: unknown[] = [];
      const store = await open(place, (warning) => told.push(warning)).catch((error: unknown) => void told.push(error));
      const read = store && (await contentsOf(store));
      told.push(...(read?.errors ?? []));
      await store?.close();
      try {
        if (read !== undefined) expectNothingWrong(before, read.contents, { told, former });
        else expectNothingWrong(before, before, { told, former });
      } catch (error) {
        throw new Error(`${done}; told ${told.map(String).join("; ")}`, { cause: error });
      }
      if (told.length > 0) seen++;
      rmSync(place, { recursive: true, force: true });
    }
    expect(seen).toBeGreaterThan(ROUNDS / 10);
  }, 120_000);

  test("is found by verify, and repair keeps a backup, all that is intact, and leaves a store that is well", async () => {
    let repaired = 0;
    for (let round = 0; round < ROUNDS / 10; round++) {
      const place = join(folder, `${name}-mended-${round}`);
      cpSync(whole, place, { recursive: true });
      const files = filesIn(place).filter((file) => !file.endsWith("-1.json") && !file.endsWith("-2.json"));
      const file = files[(SEED + round) % files.length]!;
      const done = `round ${round}: ${spoilFile(file, SEED * 200_003 + round)} of ${file.slice(place.length)}`;
      const store = await open(place, () => undefined).catch(() => undefined);
      const { faults } = (await store?.verify?.()) ?? { faults: [] };
      if (faults.length === 0) {
        await store?.close();
        continue;
      }
      try {
        const { backup } = await store!.repair!();
        await store!.close();
        expect(statSync(backup).size).toBeGreaterThan(0);
        const told: unknown[] = [];
        const mended = await open(place, (warning) => told.push(warning));
        expect((await mended.verify!()).faults).toEqual([]);
        const { contents, errors } = await contentsOf(mended);
        expect([...told, ...errors]).toEqual([]);
        expectNothingWrong(before, withoutGone(contents), { told: faults, former });
        await mended.close();
        repaired++;
      } catch (error) {
        throw new Error(`${done}; ${faults.map(String).join("; ")}`, { cause: error });
      }
    }
    expect(repaired).toBeGreaterThan(ROUNDS / 100);
  }, 120_000);
});

describe("a session in a damaged store", () => {
  test("that no longer counts its receipts gives none of their numbers again", async () => {
    const path = join(folder, "numbers.db");
    const store = `sqlite:${path}`;
    const onWarning = () => undefined;
    const varve = await openVarve({ store, onWarning });
    const session = await varve.session("s", { window: 2_000 });
    const say = async (turn: number, open = session) => {
      await open.append([user(`${turn} ${"word ".repeat(400)}`), { role: "assistant", content: "Yes." }]);
      await open.view();
    };
    for (let turn = 0; turn < 12; turn++) await say(turn);
    const before = (await session.allReceipts()).map(({ id }) => id);
    expect(before.length).toBeGreaterThan(1);
    await varve.close();
    const database = new DatabaseSync(path);
    database.exec("UPDATE documents SET value = '{}' WHERE name IN ('state/receipts', 'state/viewer')");
    database.close();
    const later = await openVarve({ store, onWarning });
    const again = await later.session("s");
    for (let turn = 12; turn < 24; turn++) await say(turn, again);
    const after = (await again.allReceipts()).map(({ id }) => id);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.length).toBeGreaterThan(before.length);
    await later.close();
  });
});
