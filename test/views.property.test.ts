import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createTokenCounter,
  type Message,
  openVarve,
  type Provider,
  slidingWindow,
  toOpenAI,
  VarveError,
  type View,
  violations,
} from "../src/index.js";
import { isBlank, messageText } from "../src/message/content.js";
import { history, text } from "./support/histories.js";

const PROVIDERS: Provider[] = ["openai-chat", "openai-responses", "anthropic", "gemini"];
const counter = createTokenCounter();

const settings = fc.record({
  window: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 400, max: 4_000 })),
  trigger: fc.constantFrom(1, 0.9, 0.5),
  target: fc.constantFrom(0.5, 0.25, 0.1),
  lockLast: fc.constantFrom(0, 2, 6, 50),
  resultShare: fc.constantFrom(0.05, 0.25, 1),
  system: fc.option(text, { nil: undefined }),
  context: fc.option(text, { nil: undefined }),
});
type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

const tools = [
  {
    name: "read",
    description: "Reads a file",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  },
];

/** The views of a history shown to the session message by message, or the error that refused one. */
async function replay(
  messages: readonly Message[],
  { system, context, ...options }: Settings,
): Promise<(View | VarveError)[]> {
  const { window, trigger, target, ...policy } = options;
  const varve = await openVarve();
  const session = await varve.session("s", { window, trigger, target, strategy: slidingWindow(policy) });
  const views: (View | VarveError)[] = [];
  for (const message of messages) {
    await session.append(message);
    views.push(
      await session
        .view({ tools, ...(system !== undefined && { system }), ...(context !== undefined && { context }) })
        .catch(caught),
    );
  }
  return views;
}

function caught(error: unknown): VarveError {
  if (!VarveError.isInstance(error) || error.code !== "floor-exceeds-window") throw error;
  return error;
}

const latestUser = (messages: readonly Message[]): Message | undefined =>
  messages.findLast((message) => message.role === "user" && !isBlank(message));

describe("every view", () => {
  it("fits its window or names the part that cannot, and counts itself right", async () => {
    await fc.assert(
      fc.asyncProperty(history, settings, async (messages, options) => {
        for (const view of await replay(messages, options)) {
          if (view instanceof VarveError) {
            expect(view.details.needed).toBeGreaterThan(options.window);
            continue;
          }
          const counted =
            view.messages.reduce((sum, message) => sum + counter.message(message), 0) + counter.tools(tools);
          expect(view.tokens).toBe(counted);
          expect(view.tokens).toBeLessThanOrEqual(options.window);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("is legal for all four providers", async () => {
    await fc.assert(
      fc.asyncProperty(history, settings, async (messages, options) => {
        for (const view of await replay(messages, options)) {
          if (view instanceof VarveError || view.messages.every((message) => message.role === "system")) continue;
          for (const provider of PROVIDERS) expect(violations(view.messages, provider)).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("shows the last user message, whole where it fits beside the locked blocks", async () => {
    await fc.assert(
      fc.asyncProperty(history, settings, async (messages, options) => {
        const views = await replay(messages, options);
        for (const [at, view] of views.entries()) {
          const user = latestUser(messages.slice(0, at + 1));
          if (view instanceof VarveError || user === undefined) continue;
          const users = view.messages.filter((message) => message.role === "user");
          const whole = users.some((message) => messageText(message) === messageText(user));
          const start = users.some((message) =>
            messageText(message).startsWith([...messageText(user)].slice(0, 2).join("")),
          );
          expect(whole || start).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("keeps the order of the log", async () => {
    await fc.assert(
      fc.asyncProperty(history, settings, async (messages, options) => {
        const sealed = messages.map((message) => Object.freeze(message));
        for (const view of await replay(sealed, options)) {
          if (view instanceof VarveError) continue;
          const spoken = view.messages.filter((message) => message.role === "user" || message.role === "assistant");
          const places = spoken.map((message) => sealed.indexOf(message)).filter((place) => place >= 0);
          expect(places).toEqual([...places].sort((a, b) => a - b));
        }
      }),
      { numRuns: 100 },
    );
  });

  it("is the same for the same input, and leaves the input untouched", async () => {
    await fc.assert(
      fc.asyncProperty(history, settings, async (messages, options) => {
        const before = JSON.stringify(messages);
        const shape = (views: (View | VarveError)[]) =>
          JSON.stringify(views.map((view) => (view instanceof VarveError ? view.message : toOpenAI(view.messages))));
        expect(shape(await replay(messages, options))).toBe(shape(await replay(messages, options)));
        expect(JSON.stringify(messages)).toBe(before);
      }),
      { numRuns: 50 },
    );
  });

  it("only grows between two cuts", async () => {
    await fc.assert(
      fc.asyncProperty(history, settings, async (messages, options) => {
        const clean = messages.filter((message) => message.role === "user" && !isBlank(message));
        const views = await replay(clean, { ...options, context: undefined });
        for (const [at, view] of views.entries()) {
          const before = views[at - 1];
          if (
            view instanceof VarveError ||
            before === undefined ||
            before instanceof VarveError ||
            view.receipt !== undefined
          )
            continue;
          expect(JSON.stringify(view.messages.slice(0, before.messages.length))).toBe(JSON.stringify(before.messages));
        }
      }),
      { numRuns: 100 },
    );
  });
});
