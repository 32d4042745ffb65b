import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { history, PICTURE, text } from "../../test/support/histories.js";
import { runs } from "../../test/support/runs.js";
import { VarveError } from "../errors.js";
import { entryOf } from "../message/entry.js";
import { Log } from "../message/log.js";
import { packMessage } from "../message/packed-message.js";
import type { FilePart, Message } from "../message/types.js";
import { toAISDK } from "../wire/ai-sdk.js";
import { toAnthropic } from "../wire/anthropic.js";
import { toGemini } from "../wire/gemini.js";
import { toOpenAI } from "../wire/openai-chat.js";
import { toOpenAIResponses } from "../wire/openai-responses.js";
import { resultCap } from "./budget.js";
import { freshState, type Plan, type ViewState } from "./plan.js";
import { planMessages } from "./plan-messages.js";
import { planView } from "./plan-view.js";
import type { PlanInput } from "./policy.js";
import { readingOf } from "./reading.js";
import { render } from "./render.js";
import { resolveSettings } from "./settings.js";
import { hierarchical } from "./strategies/hierarchical.js";
import { importance } from "./strategies/importance.js";
import { slidingWindow } from "./strategies/sliding-window.js";

const bytes = () => Uint8Array.from(Buffer.from(PICTURE, "base64"));
const url = new URL("https://a.example/b.pdf");

/** Media in all the forms in which the AI SDK's messages hold them. */
const data = fc.constantFrom<() => FilePart["data"]>(
  () => PICTURE,
  bytes,
  () => Buffer.from(PICTURE, "base64"),
  () => bytes().buffer as ArrayBuffer,
  () => ({ type: "data", data: bytes() }),
  () => url,
  () => ({ type: "url", url }),
);
const file = data.map((make) => ({ type: "file" as const, data: make(), mediaType: "image/png" }));
const image = fc.constantFrom(bytes(), url, bytes().buffer as ArrayBuffer);

/** A turn whose every message holds media. */
const mediaTurn: fc.Arbitrary<Message[]> = fc
  .record({ words: text, file, image, made: file, given: file })
  .map(({ words, file, image, made, given }): Message[] => {
    const call = { type: "tool-call", toolCallId: "shot", toolName: "screenshot", input: {} } as const;
    const value = [{ type: "text", text: words }, given];
    const output = { type: "content", value } as const;
    return [
      { role: "user", content: [{ type: "text", text: words }, file, { type: "image", image }] },
      { role: "assistant", content: [{ type: "reasoning", text: "Look." }, { type: "text", text: words }, made, call] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "shot", toolName: "screenshot", output }] },
    ];
  });

const conversation = fc
  .array(fc.oneof(history, { weight: 2, arbitrary: mediaTurn }), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.flat());

const through = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** All that is sent of these messages. */
const sent = (messages: Message[]): unknown => [
  toAISDK(messages),
  toOpenAI(messages),
  toOpenAIResponses(messages),
  toAnthropic(messages),
  toGemini(messages),
];

/** The plans of a conversation that grows message by message; those that cannot fit are left out. */
async function plansOf(
  messages: readonly Message[],
  window: number,
  plan: (input: PlanInput) => Plan | Promise<Plan>,
): Promise<{ plan: Plan; log: Log }[]> {
  const { budget, counter } = resolveSettings({ window });
  const log = new Log();
  const reading = readingOf(log, counter, resultCap(budget));
  const request = { system: "Be brief.", context: "The date is today." };
  const input = (state: ViewState): PlanInput => ({ reading, budget, state, request, pinned: [], thinking: "bound" });
  let state = freshState(0);
  const plans = [];
  for (const [at, message] of messages.entries()) {
    log.push(entryOf(packMessage(message, at), at, { first: 0, after: -1, time: 0 }));
    try {
      const made = await plan(input(state));
      state = made.next;
      plans.push({ plan: made, log });
    } catch (error) {
      if (!VarveError.isInstance(error)) throw error;
    }
  }
  return plans;
}

describe("a plan that has been through JSON", () => {
  const policies = [slidingWindow, hierarchical, importance].map((make) => make().policy!);

  it("renders the same, whatever the messages hold", async () => {
    await fc.assert(
      fc.asyncProperty(
        conversation,
        fc.integer({ min: 120, max: 3_000 }),
        fc.constantFrom(...policies),
        async (messages, window, policy) => {
          const plans = await plansOf(messages, window, (input) => planView(input, policy));
          for (const { plan, log } of plans.slice(-4))
            expect(sent(render(through(plan), log))).toEqual(sent(render(plan, log)));
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it("renders the same where somebody else composed it of the caller's own messages", async () => {
    await fc.assert(
      fc.asyncProperty(mediaTurn, async (messages) => {
        const plans = await plansOf(messages, 50_000, (input) => planMessages("own", messages, input));
        for (const { plan, log } of plans) {
          expect(sent(render(through(plan), log))).toEqual(sent(render(plan, log)));
          expect(plan.leftOut).toBe(0);
        }
      }),
      { numRuns: runs(30) },
    );
  });

  it("is gone on from as from the plan itself", async () => {
    await fc.assert(
      fc.asyncProperty(mediaTurn, mediaTurn, async (first, second) => {
        const policy = slidingWindow().policy!;
        const turns = [...first, ...second, ...first];
        await plansOf(turns, 400, (input) => {
          const { log } = input.reading;
          const plan = planView(input, policy);
          const again = planView({ ...input, state: through(input.state) }, policy);
          expect(sent(render(again, log))).toEqual(sent(render(plan, log)));
          return plan;
        });
      }),
      { numRuns: runs(30) },
    );
  });
});
