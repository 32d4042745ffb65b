import { strict as assert } from "node:assert";
import { setTimeout as wait } from "node:timers/promises";
import { openVarve, type Varve } from "../../src/session/open-varve.js";
import { APPENDS } from "./build.js";
import { startScript } from "./typescript-process.js";

/** The number of the import that a session came from, which it holds whole; undefined where there is no session. */
async function importOf(varve: Varve, id: string): Promise<number | undefined> {
  const { sessions } = await varve.sessions({ prefix: id });
  if (!sessions.some((session) => session.id === id)) return undefined;
  const session = await varve.session(id);
  const numbers = session.entries().map(({ message }) => String(message.content).split(":")[0]);
  assert.equal(numbers.length, 2 * APPENDS, `entries of ${id}`);
  assert.deepEqual(new Set(numbers), new Set(session.context().facts));
  const first = session
    .entries()
    .slice(0, 2)
    .map(({ message }) => message);
  assert.equal((await session.append(first, { key: "0" })).length, 2);
  return Number(numbers[0]);
}

export interface ImportKillTask {
  readonly address: string;
  readonly kills: number;
  /** An importer is killed at most so many milliseconds after something was acknowledged. */
  readonly milliseconds: number;
}

/** Kills an importer again and again; fails where a session is half there, or an acknowledged import is not. */
export async function surviveImportKills({ address, kills, milliseconds }: ImportKillTask): Promise<number> {
  let next = 0;
  for (let kill = 0; kill < kills; kill++) {
    const importer = startScript("session-importer.ts", [address, String(next), "1000"]);
    await importer.wrote(1);
    await wait(Math.random() * milliseconds);
    importer.kill();
    assert.equal(await importer.ended, null);
    const varve = await openVarve({ store: address });
    const done = next + importer.lines.length;
    const replaced = await importOf(varve, "s");
    assert.ok(replaced === done - 1 || replaced === done, `import ${replaced} of ${done}`);
    for (let number = next; number < done; number++) assert.equal(await importOf(varve, `new-${number}`), number);
    const latest = await importOf(varve, `new-${done}`);
    assert.ok(latest === undefined || latest === done);
    const { sessions } = await varve.sessions({ limit: 100_000 });
    assert.equal(sessions.length, 1 + done + (latest === undefined ? 0 : 1));
    if (latest !== undefined) await varve.delete(`new-${done}`);
    await varve.close();
    next = done;
  }
  return next;
}
