import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createTokenCounter,
  type Message,
  openVarve,
  PROVIDERS,
  slidingWindow,
  toOpenAI,
  VarveError,
  type View,
  violations,
} from "../src/index.js";
import { isBlank, messageText } from "../src/message/content.js";
import { historyOf, toExchanges } from "../src/message/exchanges.js";
import { legalMessages } from "../src/message/repair.js";
import { shrinkerOf } from "../src/view/shrink.js";
import { type Setting, setting, tools } from "./support/conduct.js";
import { history } from "./support/histories.js";
import { runs } from "./support/runs.js";

const counter = createTokenCounter();
const count = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + counter.message(message), 0);

/** The views of a history shown to the session message by message, or the error that refused one. */
async function replay(
  messages: readonly Message[],
  { system, context, ...options }: Setting,
): Promise<(View | VarveError)[]> {
  const { window, trigger, target, archives: _archives, ...policy } = options;
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

/** The last exchange with something to show, in the shortest form. */
function leastOfLast(messages: readonly Message[]): number {
  const last = toExchanges(messages).findLast(
    ({ kind }) => kind === "user" || kind === "assistant" || kind === "calls",
  );
  return last === undefined ? 0 : shrinkerOf(legalMessages(last, historyOf(messages)), counter).least;
}

describe("every view", () => {
  it("fits its window or names the part that cannot, and counts itself right", async () => {
    await fc.assert(
      fc.asyncProperty(history, setting, async (messages, options) => {
        for (const view of await replay(messages, options)) {
          if (view instanceof VarveError) {
            expect(view.details.needed).toBeGreaterThan(Number(view.details.usable));
            continue;
          }
          expect(view.tokens).toBe(count(view.messages) + counter.tools(tools));
          expect(view.tokens).toBeLessThanOrEqual(options.window);
        }
      }),
    );
  });

  it("is legal for all four providers", async () => {
    await fc.assert(
      fc.asyncProperty(history, setting, async (messages, options) => {
        for (const [at, view] of (await replay(messages, options)).entries()) {
          const begun = messages.slice(0, at + 1).some((message) => message.role !== "system");
          if (view instanceof VarveError || !begun) continue;
          for (const provider of PROVIDERS) expect(violations(view.messages, provider)).toEqual([]);
        }
      }),
    );
  });

  it("shows the last user message, whole where it fits beside the shortest form of the last exchange", async () => {
    await fc.assert(
      fc.asyncProperty(history, setting, async (messages, options) => {
        const views = await replay(messages, options);
        for (const [at, view] of views.entries()) {
          const known = messages.slice(0, at + 1);
          const request = latestUser(known);
          if (view instanceof VarveError || request === undefined) continue;
          const users = view.messages.filter((message) => message.role === "user");
          const shown = users.filter((message) => JSON.stringify(message.content) === JSON.stringify(request.content));
          if (isRoomFor(request, known, view)) expect(shown.length).toBeGreaterThan(0);
          else if (shown.length === 0) expect(users.some((message) => sharesHead(message, request))).toBe(true);
        }
      }),
    );
  });

  it("keeps the order of the log", async () => {
    await fc.assert(
      fc.asyncProperty(history, setting, async (messages, options) => {
        const sealed = messages.map((message) => Object.freeze(message));
        for (const view of await replay(sealed, options)) {
          if (view instanceof VarveError) continue;
          const spoken = view.messages.filter((message) => message.role === "user" || message.role === "assistant");
          const places = spoken.map((message) => sealed.indexOf(message)).filter((place) => place >= 0);
          expect(places).toEqual([...places].sort((a, b) => a - b));
        }
      }),
    );
  });

  it("is the same for the same input, and leaves the input untouched", async () => {
    await fc.assert(
      fc.asyncProperty(history, setting, async (messages, options) => {
        const before = JSON.stringify(messages);
        const shape = (views: (View | VarveError)[]) =>
          JSON.stringify(views.map((view) => (view instanceof VarveError ? view.message : toOpenAI(view.messages))));
        expect(shape(await replay(messages, options))).toBe(shape(await replay(messages, options)));
        expect(JSON.stringify(messages)).toBe(before);
      }),
      { numRuns: runs(50) },
    );
  });
});

/** Whether the locked blocks, the request and the last exchange in its shortest form fit together. */
function isRoomFor(request: Message, known: readonly Message[], { blocks, messages, budget }: View): boolean {
  const locked = blocks.filter(({ name }) => name === "system" || name === "tools");
  const opener =
    messages.find((message) => message.role !== "system" && message.role !== "user") === undefined ? 0 : 20;
  const isLast = known.findLast((message) => message.role !== "system" && !isBlank(message)) === request;
  const needed = counter.message(request) + (isLast ? 0 : leastOfLast(known)) + opener;
  return locked.reduce((sum, { tokens }) => sum + tokens, needed) <= budget.usable;
}

/** Whether a message starts with the first word of the request's text, or as much of it as a few tokens hold. */
function sharesHead(message: Message, request: Message): boolean {
  const [first] = [...new Intl.Segmenter().segment(messageText(request))].map(({ segment }) => segment);
  return messageText(message).startsWith(first ?? "");
}
