import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { checkSchema, migrate } from "./sqlite-migrations.js";

const folder = mkdtempSync(join(tmpdir(), "varve-migrations-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A connection on which something happens between its `count`th read and the next one. */
function interrupted(database: DatabaseSync, count: number, happens: () => void): DatabaseSync {
  let reads = 0;
  const read = (statement: StatementSync) => {
    const row = statement.get();
    if (++reads === count) happens();
    return row;
  };
  const prepare = (sql: string) => ({ get: () => read(database.prepare(sql)) });
  return Object.assign(Object.create(database), { prepare, exec: (sql: string) => database.exec(sql) });
}

describe("a file that two processes make at the same moment", () => {
  test.each([1, 2, 3])("is ours for both, also where one is done after %i reads of the other", (count) => {
    const path = join(folder, `made-${count}.db`);
    const [first, second] = [new DatabaseSync(path), new DatabaseSync(path)];
    const later = interrupted(first, count, () => migrate(second, path));
    expect(() => checkSchema(later, path)).not.toThrow();
    migrate(first, path);
    expect(checkSchema(first, path)).toEqual(checkSchema(second, path));
    for (const database of [first, second]) database.close();
  });

  test("is still refused where it is another program's", () => {
    const path = join(folder, "other.db");
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE theirs (name TEXT)");
    expect(() => checkSchema(database, path)).toThrow("another program");
    database.close();
  });
});
