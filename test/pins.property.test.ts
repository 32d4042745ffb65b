import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  entities,
  hierarchical,
  importance,
  type Message,
  openVarve,
  PROVIDERS,
  type Strategy,
  slidingWindow,
  summarization,
  VarveError,
  violations,
} from "../src/index.js";
import { calls, result, says, user, words } from "./support/build.js";
import { runs } from "./support/runs.js";

const STRATEGIES: Readonly<Record<string, () => Strategy>> = {
  "sliding-window": () => slidingWindow(),
  hierarchical: () => hierarchical(),
  importance: () => importance({ threshold: 0.1 }),
  summarization: () => summarization(),
  entities: () => entities({ schema: z.object({ city: z.string() }), keepTurns: 2 }),
};

const exchange: fc.Arbitrary<(at: number) => Message[]> = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map((size) => (at: number) => [user(`request ${at} ${words(size)}`)]),
  fc.integer({ min: 1, max: 60 }).map((size) => (at: number) => [says(`answer ${at} ${words(size)}`)]),
  fc
    .integer({ min: 1, max: 60 })
    .map((size) => (at: number) => [calls(`c${at}`), result(`c${at}`, `output ${at} ${words(size)}`)]),
);

interface Act {
  readonly make: (at: number) => Message[];
  readonly pins: boolean;
  readonly by: "user" | "agent";
  readonly compacts: boolean;
}

const act: fc.Arbitrary<Act> = fc.record({
  make: exchange,
  pins: fc.integer({ min: 0, max: 5 }).map((drawn) => drawn === 0),
  by: fc.constantFrom("user" as const, "agent" as const),
  compacts: fc.integer({ min: 0, max: 6 }).map((drawn) => drawn === 0),
});

function refused(error: unknown): undefined {
  const expected = ["pin-refused", "nothing-removed", "floor-exceeds-window"];
  if (!VarveError.isInstance(error) || !expected.includes(error.code)) throw error;
}

describe("pins", () => {
  it("survive every cycle of every strategy, once each, and the views stay legal", async () => {
    const name = fc.constantFrom(...Object.keys(STRATEGIES));
    await fc.assert(
      fc.asyncProperty(name, fc.array(act, { minLength: 10, maxLength: 60 }), async (strategy, acts) => {
        const window = 900;
        const session = await (await openVarve()).session("s", { window, strategy: STRATEGIES[strategy]!() });
        await session.append(user("the first request"));
        for (const [at, { make, pins, by, compacts }] of acts.entries()) {
          const [entry] = await session.append(make(at));
          try {
            if (pins) session.pin(entry!.id, { by });
          } catch (error) {
            refused(error);
          }
          if (compacts) await session.compact().catch(refused);
          const { messages, tokens } = await session.view();
          const opened = session.pins().map((pin) => session.entries().find(({ id }) => id === pin.entry)!.message);
          for (const message of opened) expect(messages.filter((each) => each === message)).toHaveLength(1);
          expect(tokens).toBeLessThanOrEqual(window);
          for (const provider of PROVIDERS) expect(violations(messages, provider)).toEqual([]);
        }
        const taken = session.pins().reduce((sum, pin) => sum + pin.tokens, 0);
        expect(taken).toBeLessThanOrEqual(session.status().budget.usable * 0.25);
      }),
      { numRuns: runs(60) },
    );
  });
});
