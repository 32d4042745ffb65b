/** The short form of `npm run lab`: every client, with the strategies by turns. */
import { describe, expect, it } from "vitest";
import { CLIENTS, runAgent, STRATEGIES } from "./run.js";

const STEPS = 40;
const WINDOW = 8_000;
const SETTINGS = CLIENTS.map((client, at) => ({ client, strategy: STRATEGIES[at % STRATEGIES.length]! }));

describe("an agent on a provider's own client", () => {
  it.each(SETTINGS)("is refused nothing and is never over: $client.name, $strategy", async ({ client, strategy }) => {
    const report = await runAgent({ client, strategy, window: WINDOW, steps: STEPS });
    expect(report).toMatchObject({ refused: [], over: 0, overBudget: 0, requests: STEPS, streamed: STEPS / 2 });
    expect(report.cuts).toBeGreaterThan(2);
  });
});
