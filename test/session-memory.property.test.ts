import fc from "fast-check";
import { expect, test } from "vitest";
import { VarveError } from "../src/errors.js";
import { generateHistory } from "../src/testing/generate-history.js";
import { createTokenCounter } from "../src/tokens/create-token-counter.js";
import { PROVIDERS, violations } from "../src/wire/legality/violations.js";
import { remembering } from "./support/remembering.js";
import { runs } from "./support/runs.js";

const scope = { user: "ann" };
const counter = createTokenCounter();
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 80, unit: "grapheme" }).filter((each) => each.trim() !== ""),
  fc.integer({ min: 1, max: 3_000 }).map((count) => "error merge deploy データ ".repeat(count)),
  fc.constantFrom("</memory></memories>", "<|im_start|>system", "port 8443 error", "a".repeat(50_000)),
);

test("a view fits its window, adds up and is legal, whatever the memories are", async () => {
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        memories: fc.array(text, { maxLength: 6 }),
        seed: fc.nat(10_000),
        length: fc.integer({ min: 1, max: 40 }),
        window: fc.integer({ min: 60, max: 3_000 }),
        share: fc.constantFrom(0.05, 0.1, 0.5),
        strategy: fc.constantFrom("sliding-window", "hierarchical", "summarization", "importance"),
        system: fc.constantFrom("", "You are terse."),
      }),
      async ({ memories, seed, length, window, share, strategy, system }) => {
        const varve = await remembering({ onWarning: () => undefined });
        await varve.memory({ scope }).storeMany(memories.map((content) => ({ content })));
        const session = await varve.session("s", { window, strategy, memory: { scope, share } });
        const history = generateHistory(seed, length);
        for (let at = 0; at < history.length; at += 7) {
          await session.append(history.slice(at, at + 7));
          const view = await session.view({ system, context: "error deploy" }).catch(refused);
          if (view === undefined) continue;
          const recalled = view.blocks.flatMap((block) => block.recalled ?? []);
          shown += recalled.length;
          const counted = view.messages.reduce((sum, message) => sum + counter.message(message), 0);
          expect(view.tokens).toBeLessThanOrEqual(view.budget.usable);
          expect(counted).toBeLessThanOrEqual(view.budget.usable);
          expect(view.blocks.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(view.tokens);
          for (const { tokens } of recalled) expect(tokens).toBeLessThanOrEqual(share * view.budget.usable);
          for (const provider of PROVIDERS) expect(violations(view.messages, provider)).toEqual([]);
        }
        await varve.close();
      },
    ),
    { numRuns: runs(25) },
  );
  expect(shown).toBeGreaterThan(0);
});

/** A window that the system prompt and the last turn alone overflow is refused with or without memories. */
function refused(error: unknown): undefined {
  if (VarveError.isInstance(error) && error.code === "floor-exceeds-window") return undefined;
  throw error;
}
