import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  contextTools,
  entities,
  hierarchical,
  importance,
  type Message,
  openVarve,
  type Receipt,
  type Session,
  type Strategy,
  slidingWindow,
  summarization,
  VarveError,
} from "../src/index.js";
import { expectSums } from "./support/conduct.js";
import { history } from "./support/histories.js";
import { runs } from "./support/runs.js";

/** What every strategy's receipts promise, for any history. */
const STRATEGIES: Readonly<Record<string, () => Strategy>> = {
  "sliding-window": () => slidingWindow({ lockLast: 0 }),
  hierarchical: () => hierarchical(),
  importance: () => importance({ threshold: 0.2 }),
  summarization: () => summarization(),
  entities: () => entities({ schema: z.object({ city: z.string() }), keepTurns: 2 }),
};
const strategies = fc.constantFrom(...Object.keys(STRATEGIES));
const windows = fc.integer({ min: 120, max: 1_500 });

const open = async (name: string, window: number, options = {}): Promise<Session> =>
  (await openVarve({ now: () => 1_000 })).session("s", { window, strategy: STRATEGIES[name]!(), ...options });

async function replay(session: Session, messages: readonly Message[]): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (const message of messages) {
    await session.append(message);
    const view = await session.view().catch(refused);
    if (view?.receipt !== undefined) receipts.push(view.receipt);
  }
  return receipts;
}

function refused(error: unknown): undefined {
  const expected = ["floor-exceeds-window", "nothing-removed"];
  if (!VarveError.isInstance(error) || !expected.includes(error.code)) throw error;
}

const bare = (receipt: Receipt | undefined) => receipt && { ...receipt, id: "" };

describe("receipts of any strategy", () => {
  it("account for each entry left out and each token saved", async () => {
    await fc.assert(
      fc.asyncProperty(history, windows, strategies, async (messages, window, name) => {
        for (const receipt of await replay(await open(name, window), messages)) {
          expectSums(receipt);
          expect(receipt.strategy).toBe(name);
        }
      }),
    );
  });

  it("are told by explain as compact then gives them, and explain changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(history, windows, strategies, async (messages, window, name) => {
        const archived: Message[] = [];
        const archive = (gone: readonly Message[]): void => void archived.push(...gone);
        const session = await open(name, window, { archive });
        await replay(session, messages);
        const before = JSON.stringify([await session.view().catch(refused), session.status(), archived]);
        const told = await session.explain().catch(refused);
        const again = await session.explain().catch(refused);
        expect(JSON.stringify([await session.view().catch(refused), session.status(), archived])).toBe(before);
        const made = await session.compact().catch(refused);
        if (made !== undefined) expect({ ...bare(told), scores: undefined }).toEqual(bare(made));
        expect(bare(again)).toEqual(bare(told));
      }),
    );
  });

  it("list as unreachable what no tool leads to, and nothing where the model can search", async () => {
    await fc.assert(
      fc.asyncProperty(history, windows, strategies, async (messages, window, name) => {
        const session = await open(name, window + 300);
        const tools = contextTools(session);
        for (const message of messages) {
          await session.append(message);
          const view = await session.view({ tools }).catch(refused);
          expect(view?.receipt?.unreachable ?? []).toEqual([]);
        }
        const receipts = await replay(await open(name, window), messages);
        for (const { items, unreachable } of receipts) {
          const lost = items.filter(({ reach }) => reach === "application");
          const count = (list: readonly { entries: number }[]) => list.reduce((sum, { entries }) => sum + entries, 0);
          expect(count(unreachable)).toBe(count(lost));
        }
      }),
      { numRuns: runs(50) },
    );
  });
});
