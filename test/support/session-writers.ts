import { strict as assert } from "node:assert";
import { setTimeout as wait } from "node:timers/promises";
import { openVarve } from "../../src/session/open-varve.js";
import { violations } from "../../src/wire/legality/violations.js";
import { type ScriptProcess, startScript, succeed } from "./typescript-process.js";

export interface WriterTask {
  readonly address: string;
  readonly session: string;
  readonly writer: string;
  /** Number of the first append. */
  readonly from?: number;
  readonly count: number;
}

/** A process that appends to a session; its lines are the numbers of the appends that were acknowledged. */
export function startWriter({ address, session, writer, from = 0, count }: WriterTask): ScriptProcess {
  return startScript("session-writer.ts", [address, session, writer, String(from), String(count)]);
}

/** How many appends of each writer there are; fails where one is doubled, torn, out of order, or a view is not legal. */
export async function checkSession(address: string, sessionId: string): Promise<Map<string, number>> {
  const varve = await openVarve({ store: address });
  const session = await varve.session(sessionId, { window: 4_000, strategy: "hierarchical" });
  const entries = session.entries();
  const counts = new Map<string, number>();
  for (let at = 0; at < entries.length; at += 3) {
    const roles = entries.slice(at, at + 3).map(({ role }) => role);
    assert.deepEqual(roles, ["user", "assistant", "tool"]);
    const [writer = "", number] = String(entries[at]!.message.content).split(":");
    assert.equal(Number(number), counts.get(writer) ?? 0, `the appends of ${writer}`);
    counts.set(writer, Number(number) + 1);
  }
  entries.forEach(({ sequence }, at) => {
    assert.equal(sequence, at);
  });
  const { messages } = await session.view();
  for (const provider of ["openai-chat", "anthropic"] as const) assert.deepEqual(violations(messages, provider), []);
  await varve.close();
  return counts;
}

export interface KillTask {
  readonly address: string;
  readonly kills: number;
  /** A writer is killed after at most so many appends, and at most so many milliseconds more. */
  readonly appends: number;
  readonly milliseconds: number;
}

/** Kills a writer again and again at any moment; fails where an acknowledged append is lost, or one is doubled. */
export async function surviveKills({ address, kills, appends, milliseconds }: KillTask): Promise<void> {
  let next = 0;
  for (let kill = 0; kill < kills; kill++) {
    const writer = startWriter({ address, session: "s", writer: "w", from: next, count: 1_000 });
    await writer.wrote(1 + Math.floor(Math.random() * appends));
    await wait(Math.random() * milliseconds);
    writer.kill();
    assert.equal(await writer.ended, null);
    const there = (await checkSession(address, "s")).get("w") ?? 0;
    const unacknowledged = there - next - writer.lines.length;
    assert.ok(unacknowledged === 0 || unacknowledged === 1, `${unacknowledged} appends that nobody acknowledged`);
    next = there;
  }
  assert.ok(next >= kills, `${next} appends in ${kills} runs`);
}

export interface CrowdTask {
  readonly address: string;
  /** So many processes append to one session, and as many to one each. */
  readonly processes: number;
  readonly count: number;
}

/** Many processes append at once; fails where one of them fails, or an append is not there. */
export async function appendTogether({ address, processes, count }: CrowdTask): Promise<void> {
  const shared = Array.from({ length: processes }, (_, at) => ({ session: "shared", writer: `w${at}` }));
  const own = Array.from({ length: processes }, (_, at) => ({ session: `own-${at}`, writer: "w" }));
  const writers = [...shared, ...own].map((task) => startWriter({ address, ...task, count }));
  await succeed(writers);
  assert.deepEqual([...(await checkSession(address, "shared")).values()], Array(processes).fill(count));
  for (const { session } of own) assert.equal((await checkSession(address, session)).get("w"), count);
}
