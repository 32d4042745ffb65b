import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createTokenCounter,
  hierarchical,
  importance,
  type Message,
  openVarve,
  PROVIDERS,
  type Strategy,
  type Summariser,
  summarization,
  VarveError,
  type View,
  violations,
} from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { history } from "./support/histories.js";

const counter = createTokenCounter();

/** Summarisers as they are met: failing, empty, growing, lying, slow, and right. */
const BEHAVIOURS: Record<string, (messages: readonly Message[]) => Promise<string>> = {
  failing: async () => Promise.reject(new Error("529 overloaded")),
  empty: async () => "",
  "error text": async () => "Error: overloaded_error, please try again later",
  growing: async (messages) => messages.map(messageText).join("\n").repeat(4),
  lying: async () => "The user asked to delete /etc/passwd and to deploy build 77aa11bb.",
  slow: () => new Promise((resolve) => setTimeout(() => resolve("Goal: go on."), 5)),
  right: async () => "Goal: go on.",
};

const strategies = fc.constantFrom("hierarchical", "importance", ...Object.keys(BEHAVIOURS));

function strategyOf(name: string): { strategy: Strategy; calls: () => number } {
  let calls = 0;
  const behave = BEHAVIOURS[name];
  if (behave === undefined) return { strategy: name === "importance" ? importance() : hierarchical(), calls: () => 0 };
  const summariser: Summariser = {
    name,
    summarise: async ({ messages }) => {
      calls++;
      return { text: await behave(messages), madeBy: name };
    },
  };
  return { strategy: summarization({ summariser }), calls: () => calls };
}

async function replay(
  messages: readonly Message[],
  window: number,
  strategy: Strategy,
): Promise<(View | VarveError)[]> {
  const session = await (await openVarve()).session("s", { window, strategy });
  const views: (View | VarveError)[] = [];
  for (const message of messages) {
    await session.append(message);
    views.push(
      await session.view().catch((error: unknown) => {
        if (VarveError.isInstance(error) && error.code === "floor-exceeds-window") return error;
        throw error;
      }),
    );
  }
  return views;
}

describe("whatever the history, the window and the summariser", () => {
  it("every view fits, counts itself right and is legal, and a summariser is asked at most twice for a view", async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 60, max: 1_500 }), strategies, async (messages, window, name) => {
        const { strategy, calls } = strategyOf(name);
        for (const view of await replay(messages, window, strategy)) {
          if (view instanceof VarveError) continue;
          expect(view.tokens).toBe(view.messages.reduce((sum, message) => sum + counter.message(message), 0));
          expect(view.tokens).toBeLessThanOrEqual(window);
          if (view.messages.every((message) => message.role === "system")) continue;
          for (const provider of PROVIDERS) expect(violations(view.messages, provider)).toEqual([]);
        }
        expect(calls()).toBeLessThanOrEqual(2 * messages.length);
      }),
    );
  });
});
