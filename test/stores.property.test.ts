import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openVarve, type Session, type Varve, VarveError } from "../src/index.js";
import { history } from "./support/histories.js";
import { runs } from "./support/runs.js";

/** What a session may be asked for. Failures that it states, such as a window too small, are part of its life. */
const step = fc.oneof(
  { weight: 5, arbitrary: history.map((messages) => ({ act: "append" as const, messages })) },
  { weight: 4, arbitrary: fc.constant({ act: "view" as const }) },
  { weight: 1, arbitrary: fc.constant({ act: "compact" as const }) },
  { weight: 1, arbitrary: fc.constant({ act: "undo" as const }) },
  { weight: 1, arbitrary: fc.nat().map((at) => ({ act: "pin" as const, at })) },
  { weight: 1, arbitrary: fc.constant({ act: "checkpoint" as const }) },
  { weight: 1, arbitrary: fc.nat().map((at) => ({ act: "restore" as const, at })) },
  {
    weight: 1,
    arbitrary: fc.double({ min: 0.7, max: 1.4, noNaN: true }).map((ratio) => ({ act: "usage" as const, ratio })),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(session: Session, given: Step): Promise<void> {
  const ids = session.entries().map(({ id }) => id);
  const checkpoints = session.checkpoints();
  switch (given.act) {
    case "append":
      await session.append(given.messages);
      return;
    case "view":
      await session.view();
      return;
    case "compact":
      await session.compact();
      return;
    case "undo":
      await session.undo();
      return;
    case "pin":
      if (ids.length > 0) session.pin(ids[given.at % ids.length]!);
      return;
    case "checkpoint":
      await session.checkpoint();
      return;
    case "restore":
      if (checkpoints.length > 0) await session.restore(checkpoints[given.at % checkpoints.length]!.id);
      return;
    case "usage":
      session.reportUsage({ inputTokens: Math.round((session.status().tokens ?? 0) * given.ratio) });
  }
}

async function stated(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (!VarveError.isInstance(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

const shown = (session: Session): Promise<unknown> =>
  stated(async () => {
    const { messages, tokens, leftOut, receipt } = await session.view();
    return JSON.stringify({ messages, tokens, leftOut, reduced: receipt?.leftOut });
  });

const CLOCK = { now: () => 0 };

/** The same session in another process, on a store of its own. */
async function reopened(varve: Varve): Promise<Session> {
  const other = await openVarve(CLOCK);
  await other.import(varve.export());
  return other.session("s");
}

describe("a session that is opened again", () => {
  it("shows what the one before it did, and goes on as it would have, whatever is done to it", async () => {
    const strategy = fc.constantFrom("sliding-window", "hierarchical", "importance", "summarization");
    const steps = fc.array(step, { minLength: 1, maxLength: 8 });
    const property = fc.asyncProperty(
      steps,
      steps,
      strategy,
      fc.integer({ min: 300, max: 2_000 }),
      async (...given) => {
        const [before, after, name, window] = given;
        const varve = await openVarve(CLOCK);
        const session = await varve.session("s", { window, strategy: name });
        await session.append({ role: "user", content: "begin" });
        for (const each of before) await stated(() => take(session, each));
        const first = await shown(session);
        const again = await reopened(varve);
        const { budget, counter, pins, entries, receipts } = session.status();
        expect(again.status()).toMatchObject({ budget, counter, pins, entries, receipts });
        expect(await shown(again)).toBe(String(first).replace(/,"reduced":.*$/s, "}"));
        for (const each of after) {
          expect(await stated(() => take(again, each))).toEqual(await stated(() => take(session, each)));
          expect(await shown(again)).toBe(await shown(session));
        }
      },
    );
    await fc.assert(property, { numRuns: runs(40), endOnFailure: true });
  });
});
