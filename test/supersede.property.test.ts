import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Message, openVarve, PROVIDERS, type Session, VarveError, type View, violations } from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { call, says, user } from "./support/build.js";
import { type Action, conduct, expectSound, interlude, setting } from "./support/conduct.js";
import { runs } from "./support/runs.js";

/** Agents that look at the same few things over and over: reads, parts, edits, runs, in batches too. */
interface Look {
  readonly input: object;
  readonly output: string;
}

const text = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, at) => `${name} says in line ${at} what it has to say`).join("\n");

const look: fc.Arbitrary<Look> = fc
  .tuple(fc.constantFrom("read", "part", "edit", "run"), fc.constantFrom("a.ts", "b.ts", "c.ts"), fc.nat(30))
  .map(([kind, path, size]) => {
    if (kind === "read") return { input: { path }, output: text(path, size) };
    if (kind === "part") return { input: { path, offset: 1, limit: size }, output: text(path, size) };
    if (kind === "edit") return { input: { path, new_string: path.repeat(size) }, output: "changed" };
    const end = size % 3 === 0 ? "\n1 test FAILED" : "";
    return { input: { command: `check ${path}` }, output: `${text("the check", size)}${end}` };
  });

function exchangeOf(looks: readonly Look[], seed: number): Message[] {
  const ids = looks.map((_, at) => `c${seed}-${at}`);
  return [
    { role: "assistant", content: looks.map(({ input }, at) => call(ids[at]!, input)) },
    ...looks.map(({ output }, at): Message => {
      const value = { type: "text" as const, value: output };
      return {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: ids[at]!, toolName: "read", output: value }],
      };
    }),
  ];
}

const messages: fc.Arbitrary<Message[]> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.array(look, { minLength: 1, maxLength: 3 }), fc.nat())
      .map(([looks, seed]) => exchangeOf(looks, seed)),
  },
  { weight: 1, arbitrary: fc.lorem({ maxCount: 12 }).map((words) => [user(words)]) },
  { weight: 1, arbitrary: fc.lorem({ maxCount: 12 }).map((words) => [says(words)]) },
);

const isLine = (message: Message): boolean => /^\[(?:superseded|cleared): .*\]$/m.test(messageText(message));
const append = messages.map((list): Action => ({ kind: "append", messages: list }));

describe("views of an agent that looks at the same things over and over", () => {
  it("keep every promise, with pins, usage reports and changes of the window between", async () => {
    const actions = fc.array(fc.oneof({ weight: 6, arbitrary: append }, { weight: 1, arbitrary: interlude }), {
      minLength: 6,
      maxLength: 30,
    });
    let lines = 0;
    await fc.assert(
      fc.asyncProperty(actions, setting, async (list, given) => {
        let before: View | undefined;
        const options = { ...given, window: given.window + 1_200, trigger: 1, target: 0.75, resultShare: 0.5 };
        for (const shown of await conduct(list, options)) {
          expectSound(shown, before);
          if (shown.view instanceof VarveError) continue;
          before = shown.view;
          lines += before.messages.filter(isLine).length;
        }
      }),
      { numRuns: runs(60) },
    );
    expect(lines).toBeGreaterThan(5);
  });

  const strategies = fc.constantFrom("sliding-window", "summarization", "hierarchical", "importance");
  const log = fc.array(messages, { minLength: 8, maxLength: 30 });

  async function open(strategy: string, window: number): Promise<Session> {
    const session = await (await openVarve()).session("s", { window, strategy });
    await session.append(user("keep looking"));
    return session;
  }

  it("change no line between cuts, keep the last two looks whole, are legal, and come out the same twice", async () => {
    await fc.assert(
      fc.asyncProperty(strategies, fc.integer({ min: 1_500, max: 5_000 }), log, async (strategy, window, list) => {
        const [session, twin] = [await open(strategy, window), await open(strategy, window)];
        let before: View | undefined;
        for (const part of list) {
          await session.append(part);
          await twin.append(part);
          const view = await session.view();
          expect((await twin.view()).messages).toEqual(view.messages);
          for (const provider of PROVIDERS) expect(violations(view.messages, provider)).toEqual([]);
          if (before !== undefined && view.receipt === undefined)
            expect(view.messages.slice(0, before.messages.length)).toEqual(before.messages);
          const batches = view.messages.flatMap(({ role }, at) =>
            role === "tool" && view.messages[at - 1]?.role === "assistant" ? [at] : [],
          );
          expect(view.messages.slice(batches.at(-2) ?? batches[0]).filter(isLine)).toEqual([]);
          before = view;
        }
      }),
      { numRuns: runs(25) },
    );
  });

  it("come back byte for byte when cuts are taken back, one by one", async () => {
    await fc.assert(
      fc.asyncProperty(strategies, log, async (strategy, list) => {
        const session = await open(strategy, 60_000);
        await session.append(list.flat());
        const views = [await session.view()];
        for (let cut = 0; cut < 3; cut++) {
          const receipt = await session.compact().catch(() => undefined);
          if (receipt === undefined) break;
          views.push(await session.view());
        }
        for (const { messages: expected } of views.slice(0, -1).toReversed()) {
          await session.undo();
          expect(JSON.stringify((await session.view()).messages)).toBe(JSON.stringify(expected));
        }
      }),
      { numRuns: runs(25) },
    );
  });
});
