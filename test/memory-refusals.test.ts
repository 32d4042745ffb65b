/** What calls of a memory refuse, each with a typed error and before anything is done. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openVarve, type ScopedMemory } from "../src/index.js";

const folder = mkdtempSync(join(tmpdir(), "varve-refusals-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = async (store = "memory", allowSecrets = false): Promise<ScopedMemory> =>
  (await openVarve({ store })).memory({ scope: { user: "ann" }, allowSecrets });

/** Calls as a program without types may make them. */
type Calls = Record<string, (...given: unknown[]) => Promise<unknown>>;

describe("a memory refuses", () => {
  test.each([
    ["retrieve", ["tea?", { limt: 3 }], "limt"],
    ["retrieve", ["tea?", { where: { tag: ["a"] } }], "where.tag"],
    ["retrieve", ["tea?", { where: { kind: "nope" } }], "where.kind"],
    ["retrieve", ["tea?", { where: { source: "system" } }], "where.source"],
    ["retrieve", ["tea?", { asOf: "1/2/2026" }], "asOf"],
    ["retrieve", ["  "], "query"],
    ["retrieve", [undefined], "query"],
    ["list", [{ limit: 0 }], "limit"],
    ["list", [{ where: { tag: ["a"] } }], "where.tag"],
    ["list", [{ befor: "1" }], "befor"],
    ["storeMany", [[null]], "texts"],
    ["observe", [[null]], "texts"],
    ["addFacts", ["x"], "additions"],
    ["addFacts", [[{ id: "a" }]], "additions"],
    ["addFacts", [[{ id: "a", facts: [{ text: "x", kind: "nope" }] }]], "additions"],
    ["getMany", [undefined], "ids"],
    ["getMany", [[""]], "id"],
    ["store", ["x", { at: "1/2/2026" }], "at"],
    ["store", ["x", { at: "2026-02-30" }], "at"],
    ["store", ["x", { at: "May 5" }], "at"],
    ["store", ["x", { id: "postgres://ann:s3cr3t@db/x" }], "id"],
  ])("%s(%j), naming what is wrong", async (name, given, option) => {
    const memory = (await open()) as unknown as Calls;
    await expect(memory[name]!(...given)).rejects.toMatchObject({
      name: "VarveError",
      code: "invalid-option",
      details: { option },
    });
  });

  test("a page after a mark that no page gave, on every store", async () => {
    for (const store of ["memory", `sqlite:${join(folder, "varve.db")}`, `file:${join(folder, "varve")}`]) {
      const memory = await open(store);
      await memory.store("Tea is ready");
      await expect(memory.list({ after: "bogus" })).rejects.toMatchObject({ details: { option: "after" } });
    }
  });

  test("no secret is told in the refusal of an id", async () => {
    const refusal = (await open()).store("x", { id: "postgres://ann:s3cr3t@db/x" });
    const error: unknown = await refusal.catch((caught: unknown) => caught);
    expect(JSON.stringify([error, String(error)])).not.toContain("s3cr3t");
    await expect((await open("memory", true)).store("x", { id: "postgres://ann:s3cr3t@db/x" })).resolves.toBeDefined();
  });
});

describe("a memory takes", () => {
  test.each([
    ["2026", "2026-01-01T00:00:00.000Z"],
    ["2026-05", "2026-05-01T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2026-05-01T09:30:00+02:00", "2026-05-01T07:30:00.000Z"],
    ["2026-05-01 09:30:00Z", "2026-05-01T09:30:00.000Z"],
  ])("the time %s", async (at, iso) => {
    const memory = await open();
    const { id } = await memory.store("Tea is ready", { at });
    expect((await memory.get(id))?.at).toBe(iso);
  });

  test("a speaker and a thread without the secrets in them", async () => {
    const memory = await open();
    const { id, redacted } = await memory.store("Tea is ready", {
      speaker: "postgres://ann:s3cr3t@db/x",
      thread: "password: hunter22",
    });
    expect(await memory.get(id)).toMatchObject({
      speaker: "postgres://ann:[secret: password]@db/x",
      thread: "password: [secret: password]",
    });
    expect(redacted).toEqual(["password"]);
  });

  test("the name of the session that it came from as it is", async () => {
    const memory = await open();
    const session = "sk-session-2024-11-05-support-chat-a7f3";
    const { id } = await memory.store("Tea is ready", {
      id: `${session}:0`,
      thread: session,
      entries: [{ session, sequence: 0 }],
    });
    expect(await memory.get(id)).toMatchObject({ id: `${session}:0`, thread: session });
    await expect(memory.store("Tea is ready", { id: session })).rejects.toMatchObject({ details: { option: "id" } });
  });

  test("an export with the mark of an encoding before it", async () => {
    const memory = await open();
    await memory.store("Tea is ready");
    let text = "\uFEFF";
    for await (const line of memory.export()) text += line;
    const [texts, bytes] = [await open(), await open()];
    expect(await texts.import([text])).toEqual({ imported: 1 });
    expect(await bytes.import([new TextEncoder().encode(text)] as never)).toEqual({ imported: 1 });
  });
});
