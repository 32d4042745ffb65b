import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCuttingProxy } from "../../../test/support/cutting-proxy.js";
import { eventually } from "../../../test/support/eventually.js";
import { describePostgres, type PostgresServer, startPostgres } from "../../../test/support/postgres.js";
import { VarveError } from "../../errors.js";
import { storeChecks } from "../../testing/store-checks.js";
import { entriesOf, mustCommit, TIME, user } from "../../testing/store-subject.js";
import { openStore } from "../open-store.js";
import { postgresStore } from "./postgres.js";
import { checkServer } from "./postgres-migrations.js";
import { postgresSettings } from "./postgres-options.js";

/** Connections that sleep within a statement. */
const SLEEPERS = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
/** Connections that wait for another's lock. */
const WAITING = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'";

describePostgres("a PostgreSQL server", () => {
  let server: PostgresServer;
  let url: string;

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.database("agents");
  });
  afterAll(() => server?.stop());

  describe("keeps the rules of every store", () => {
    for (const { name, run } of storeChecks({ open: (schema) => postgresStore({ url, schema, poolSize: 3 }) }))
      test(name, run);
  });

  test("is opened by its address, in the schema that the address names", async () => {
    const store = await openStore(`${url}?schema=named`);
    await store.commit("s", { version: 0, time: TIME, entries: entriesOf([user("Hello")]) });
    await store.close();
    expect(await server.sql("SELECT id, entries FROM named.sessions", "agents")).toEqual([{ id: "s", entries: 1 }]);
  });

  test("tells what was changed in a row behind its back, and costs no more than that", async () => {
    const warnings: VarveError[] = [];
    const store = await postgresStore({ url, schema: "damaged", onWarning: (warning) => warnings.push(warning) });
    const documents = new Map<string, unknown>([
      ["receipt/1", { id: "r1" }],
      ["state/pins", [1]],
    ]);
    for (const id of ["s", "t"])
      await mustCommit(store, id, { entries: entriesOf([user("port 5030"), user("b")]), documents, key: "k" });
    const spoil = (sql: string) =>
      server.sql(`SET session_replication_role = replica; ${sql.replaceAll("damaged.", '"damaged".')}`, "agents");
    await spoil(`UPDATE damaged.entries SET message = replace(message, '5030', '5031');
      UPDATE damaged.documents SET value = replace(value, 'r1', 'r2') WHERE session = 1;
      UPDATE damaged.keys SET first = 1 WHERE session = 1; UPDATE damaged.sessions SET head = 0 WHERE id = 't'`);
    const { entries, documents: left, keys } = (await store.read("s", { documents: [""], keys: true }))!;
    expect(() => entries[0]!.message).toThrow(
      expect.objectContaining({ code: "store-damaged", details: { session: "s", entry: "e0" } }),
    );
    expect(entries[1]!.message).toEqual(user("b"));
    expect([[...left.keys()], [...keys!.keys()]]).toEqual([["state/pins"], []]);
    expect(warnings).toMatchObject([{ details: { document: "receipt/1" } }, { details: { key: "k" } }]);
    const t = { code: "store-damaged", details: { session: "t" } };
    await expect(store.read("t")).rejects.toMatchObject(t);
    const version = (await server.sql(`SELECT version FROM "damaged".sessions WHERE id = 't'`, "agents"))[0]!.version;
    const change = { version: Number(version), time: TIME, entries: entriesOf([user("c")], 2) };
    await expect(store.commit("t", change)).rejects.toMatchObject({ code: "store-damaged" });
    expect((await store.sessions()).sessions.map(({ id }) => id)).toEqual(["s"]);
    await spoil("UPDATE damaged.documents SET sum = NULL, value = '{'");
    expect([...(await store.read("s", { documents: [""] }))!.documents]).toEqual([]);
    await store.close();
  });

  test("keeps ids and keys apart that its texts cannot hold as they are", async () => {
    const store = await postgresStore({ url, schema: "odd" });
    const ids = ["a\0", "a", "a\\0000", "half \ud83d", "half \ud83e", "half �", "\\"];
    for (const id of ids)
      for (const key of ids)
        expect(await committed(store, id, { key }), `${JSON.stringify(id)}, ${JSON.stringify(key)}`).toBe("committed");
    expect((await store.sessions()).sessions.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect((await store.sessions({ prefix: "half " })).sessions).toHaveLength(3);
    expect(await committed(store, "a", { key: "k".repeat(10_000) })).toBe("committed");
    expect(await committed(store, "a", { key: "k".repeat(10_000) })).toBe("repeated");
    const { keys } = (await store.read("a", { keys: true }))!;
    expect([...keys!.keys()].toSorted()).toEqual([...ids, "k".repeat(10_000)].toSorted());
    await store.close();
  });

  test("takes a schema with any name, and refuses an id that no index takes", async () => {
    const store = await postgresStore({ url, schema: `We"ird; -- ü` });
    expect(await committed(store, "s", {})).toBe("committed");
    await expect(store.version("x".repeat(3_000))).rejects.toMatchObject({ code: "invalid-option" });
    await store.close();
  });

  test("is made once when many open it at the same time", async () => {
    const stores = await Promise.all(
      Array.from({ length: 8 }, () => postgresStore({ url, schema: "many", poolSize: 1 })),
    );
    const steps = await server.sql("SELECT number FROM many.migrations ORDER BY number", "agents");
    expect(steps).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
    await Promise.all(stores.map((store) => store.close()));
  });

  test("does not replace a session that another made after it had looked", async () => {
    const store = await postgresStore({ url, schema: "raced" });
    await committed(store, "another", {});
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query("BEGIN; LOCK TABLE raced.sessions IN SHARE MODE");
    const replaced = store.replace("s", { version: 0, changes: [{ time: TIME, entries: entriesOf([user("ours")]) }] });
    await eventually(async () => expect(await server.sql(WAITING)).toHaveLength(1));
    await other.query("UPDATE raced.sessions SET id = 's'; COMMIT");
    expect(await replaced).toMatchObject({ status: "stale" });
    await other.end();
    await store.close();
  });

  test("refuses a schema of a later release and leaves it as it is", async () => {
    await (await postgresStore({ url, schema: "later" })).close();
    await server.sql("INSERT INTO later.migrations (number) VALUES (99)", "agents");
    const failure = await failureOf(postgresStore({ url, schema: "later" }));
    expect(failure).toMatchObject({ code: "store-newer", details: { version: 99 } });
    expect(failure.hint).toContain("Update varve");
  });

  test("says that it has no vectors where the server has no pgvector", async () => {
    const store = await postgresStore({ url, schema: "plain" });
    expect(store.vector).toBe(false);
    await store.close();
  });

  test("commits durably where the role would not wait for the disk", async () => {
    await server.sql("ALTER DATABASE agents SET synchronous_commit = off");
    const store = await postgresStore({ url, schema: "hasty" });
    await store.commit("s", { version: 0, time: TIME });
    const text = `BEGIN;
      SELECT hasty.commit_change('s', 0, 1, gen_random_uuid(), 0, NULL, NULL, NULL, NULL, '{}', '{}', '{}', '{}', '{}', '{}', '{}');
      SELECT set_config('varve.seen', current_setting('synchronous_commit'), false);
      COMMIT`;
    await server.sql(`${text}; CREATE TABLE hasty.seen AS SELECT current_setting('varve.seen') AS value`, "agents");
    expect(await server.sql("SELECT value FROM hasty.seen", "agents")).toEqual([{ value: "on" }]);
    await server.sql("ALTER DATABASE agents RESET synchronous_commit");
    await store.close();
  });

  test("knows an attempt again that is repeated after others went on", async () => {
    const store = await postgresStore({ url, schema: "again" });
    const { version } = await store.commit("s", { version: 0, time: TIME });
    const attempt = "'7b0f3f7e-1d0a-4f53-9d28-000000000001'";
    const text = `SELECT status, at_version::text AS version FROM again.commit_change('s', ${version}, 1, ${attempt}, 0,
      NULL, NULL, NULL, 0, '{-1}', '{0}', '{user}', '{false}', '{"{}"}', '{}', '{}')`;
    const first = await server.sql(text, "agents");
    expect(first).toEqual([{ status: "committed", version: String(version + 1) }]);
    await store.commit("s", { version: version + 1, time: TIME, entries: entriesOf([user("between")], 1) });
    expect(await server.sql(text, "agents")).toEqual(first);
    expect((await store.read("s"))?.info.entries).toBe(2);
    await store.close();
  });

  test("does not double a commit whose answer got lost on the way", async () => {
    const proxy = await startCuttingProxy(server.port);
    const store = await postgresStore({ url: url.replace(`:${server.port}/`, `:${proxy.port}/`), schema: "lossy" });
    const made = await store.commit("s", { version: 0, time: TIME, entries: entriesOf([user("a")]) });
    for (let at = 1; at <= 3; at++) {
      proxy.cutNext("committed");
      const change = { version: made.version + at - 1, time: TIME, entries: entriesOf([user(`${at}`)], at) };
      expect(await store.commit("s", change)).toEqual({ status: "committed", version: made.version + at });
    }
    expect(proxy.cuts()).toBe(3);
    expect((await store.read("s"))?.entries.map(({ message }) => message.content)).toEqual(["a", "1", "2", "3"]);
    await store.close();
    await proxy.stop();
  });

  describe("says what is wrong and what to do, and never the password", () => {
    const SECRET = "s3cret-w0rd";
    const check = async (address: string, expected: object) => {
      const failure = await failureOf(postgresStore({ url: address }));
      expect(failure).toMatchObject(expected);
      expect(failure.hint).not.toBe("");
      expect(tellAll(failure)).not.toContain(SECRET);
      return failure;
    };

    test("a server that is down", async () => {
      const address = `postgres://ann:${SECRET}@127.0.0.1:1/agents`;
      await check(address, { code: "store-unreachable", retryable: true });
    });

    test("a host that does not exist", async () => {
      await check(`postgres://ann:${SECRET}@no.such.host.invalid/agents`, { code: "store-unreachable" });
    });

    test("a wrong password, and none", async () => {
      await check(`postgres://varve:${SECRET}@127.0.0.1:${server.port}/agents`, { code: "store-denied" });
      await check(`postgres://varve@127.0.0.1:${server.port}/agents`, { code: "store-denied" });
    });

    test("a database that is not there", async () => {
      const failure = await check(server.url("nowhere"), { code: "store-failed", details: { database: "nowhere" } });
      expect(failure.hint).toContain('CREATE DATABASE "nowhere"');
    });

    test("a role that may not make the schema, and goes on in one that was made for it", async () => {
      await server.sql(`CREATE ROLE guest LOGIN PASSWORD '${SECRET}'`);
      const address = `postgres://guest:${SECRET}@127.0.0.1:${server.port}/agents?schema=guests`;
      const failure = await check(address, { code: "store-denied", details: { user: "guest", schema: "guests" } });
      expect(failure.hint).toContain('CREATE SCHEMA "guests" AUTHORIZATION "guest"');
      await server.sql('CREATE SCHEMA "guests" AUTHORIZATION "guest"', "agents");
      const store = await openStore(address);
      expect(await committed(store, "s", {})).toBe("committed");
      await store.close();
    });

    test("a database that takes no writes", async () => {
      await server.sql("CREATE ROLE reader LOGIN PASSWORD 'reader'");
      await server.sql("ALTER ROLE reader SET default_transaction_read_only = on");
      await server.sql("GRANT USAGE ON SCHEMA named TO reader", "agents");
      await server.sql("GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA named TO reader", "agents");
      const store = await openStore(`postgres://reader:reader@127.0.0.1:${server.port}/agents?schema=named`);
      await expect(store.commit("s", { version: 0, time: TIME })).rejects.toMatchObject({ code: "store-read-only" });
      await store.close();
    });

    test("a schema of another program", async () => {
      await server.sql("CREATE SCHEMA taken", "agents");
      await server.sql("CREATE TABLE taken.sessions (id int)", "agents");
      await check(`${url}?schema=taken`, { code: "store-damaged" });
    });

    test("a session whose entries somebody removed", async () => {
      const store = await postgresStore({ url, schema: "torn" });
      await store.commit("s", { version: 0, time: TIME, entries: entriesOf([user("a"), user("b")]) });
      await server.sql("DELETE FROM torn.entries WHERE sequence = 0", "agents");
      await expect(store.read("s")).rejects.toMatchObject({ code: "store-damaged" });
      await store.close();
    });

    test("a statement that takes too long", async () => {
      const store = await postgresStore({ url, schema: "slow", statementTimeout: 100, retryFor: 0 });
      await store.commit("s", { version: 0, time: TIME });
      const held = server.sql("BEGIN; SELECT FROM slow.sessions FOR UPDATE; SELECT pg_sleep(60); COMMIT", "agents");
      const ended = expect(held).rejects.toThrow("canceling statement");
      await eventually(async () => expect(await server.sql(SLEEPERS)).toHaveLength(1));
      await expect(store.commit("s", { version: 1, time: TIME })).rejects.toMatchObject({
        code: "store-busy",
        retryable: true,
      });
      await server.sql(SLEEPERS.replace("pid", "pg_cancel_backend(pid)"));
      await ended;
      await store.close();
    });

    test("a server that is too old, or whose database cannot hold every text", () => {
      const settings = postgresSettings({ url });
      expect(() => checkServer({ server: 12, encoding: "UTF8" }, settings)).toThrow("version 12");
      expect(() => checkServer({ server: 17, encoding: "LATIN1" }, settings)).toThrow("LATIN1");
    });

    test("an address that is none", async () => {
      await check(`postgres://ann:${SECRET}@[/agents`, { code: "invalid-option" });
      const failure = await failureOf(openStore(`mysql://ann:${SECRET}@localhost/agents`));
      expect(tellAll(failure)).not.toContain(SECRET);
    });
  });
});

async function committed(
  store: Awaited<ReturnType<typeof openStore>>,
  id: string,
  change: { key?: string },
): Promise<string> {
  const info = (await store.read(id, { from: Number.POSITIVE_INFINITY }))?.info;
  const entries = entriesOf([user("Hello")], info?.entries ?? 0);
  return (await store.commit(id, { version: info?.version ?? 0, time: TIME, entries, ...change })).status;
}

async function failureOf(work: Promise<unknown>): Promise<VarveError> {
  try {
    await work;
  } catch (error) {
    if (VarveError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("It went through.");
}

/** All that a log might show of an error, its causes included. */
function tellAll(error: unknown): string {
  const own = error instanceof Error ? { ...error, message: error.message, stack: error.stack } : error;
  const cause = error instanceof Error && error.cause !== undefined ? tellAll(error.cause) : "";
  return JSON.stringify(own) + cause;
}
