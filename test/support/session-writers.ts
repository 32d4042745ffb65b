import { strict as assert } from "node:assert";
import { violations } from "../../src/message/legality/violations.js";
import { openVarve } from "../../src/session/open-varve.js";
import { type ScriptProcess, startScript } from "./typescript-process.js";

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
