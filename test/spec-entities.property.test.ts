import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  createTokenCounter,
  type Message,
  openVarve,
  PROVIDERS,
  VarveError,
  type View,
  violations,
} from "../src/index.js";
import { isBlank, messageText } from "../src/message/content.js";
import { entities } from "../src/view/strategies/entities/entities.js";
import { history, text } from "./support/histories.js";
import { runs } from "./support/runs.js";

const counter = createTokenCounter();
const schema = z.object({ destination: z.string(), error: z.string(), count: z.number().optional() });
const tools = [{ name: "read", description: "Reads a file" }];

const settings = fc.record({
  window: fc.oneof(fc.integer({ min: 20, max: 400 }), fc.integer({ min: 400, max: 4_000 })),
  keepTurns: fc.integer({ min: 1, max: 5 }),
  system: fc.option(text, { nil: undefined }),
  context: fc.option(text, { nil: undefined }),
});
type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

/** The views of a session that takes the history in message by message, or the error that refused one. */
async function replay(messages: readonly Message[], options: Settings): Promise<(View | VarveError)[]> {
  const { window, keepTurns, system, context } = options;
  const varve = await openVarve();
  const session = await varve.session("s", { window, strategy: entities({ schema, keepTurns }) });
  const views: (View | VarveError)[] = [];
  for (const message of messages) {
    await session.append(Object.freeze(message));
    const request = { tools, ...(system !== undefined && { system }), ...(context !== undefined && { context }) };
    views.push(await session.view(request).catch(refused));
  }
  return views;
}

function refused(error: unknown): VarveError {
  if (!VarveError.isInstance(error) || error.code !== "floor-exceeds-window") throw error;
  return error;
}

const holds = (check: (views: (View | VarveError)[], messages: Message[], options: Settings) => void) =>
  fc.assert(
    fc.asyncProperty(history, settings, async (messages, options) =>
      check(await replay(messages, options), messages, options),
    ),
    { numRuns: runs(40) },
  );

const isRequest = (message: Message): boolean => message.role === "user" && !isBlank(message);

describe("every view of entities in a session", () => {
  it("fits its window or names what cannot, and counts itself right", () =>
    holds((views, _, { window }) => {
      for (const view of views) {
        if (view instanceof VarveError) {
          expect(view.details.needed).toBeGreaterThan(Number(view.details.usable));
          continue;
        }
        const counted = view.messages.reduce((sum, message) => sum + counter.message(message), counter.tools(tools));
        expect(view.tokens).toBe(counted);
        expect(view.blocks.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(counted);
        expect(view.tokens).toBeLessThanOrEqual(window);
      }
    }));

  it("is legal for all four providers", () =>
    holds((views) => {
      for (const view of views) {
        if (view instanceof VarveError || view.messages.every(({ role }) => role === "system")) continue;
        for (const provider of PROVIDERS) expect(violations(view.messages, provider)).toEqual([]);
      }
    }));

  it("shows the state once and no more turns than asked for", () =>
    holds((views, messages, { keepTurns }) => {
      for (const view of views) {
        if (view instanceof VarveError) continue;
        expect(view.messages.filter((message) => messageText(message).includes("[State] Known"))).toHaveLength(1);
        const kept = view.messages.filter((message) => isRequest(message) && messages.includes(message));
        expect(kept.length).toBeLessThanOrEqual(keepTurns);
      }
    }));

  it("says of every entry that left why", () =>
    holds((views) => {
      let leftOut = 0;
      for (const view of views) {
        if (view instanceof VarveError) return;
        if (view.leftOut > leftOut) expect(view.receipt?.leftOut).toBeDefined();
        leftOut = Math.max(leftOut, view.leftOut);
      }
    }));
});
