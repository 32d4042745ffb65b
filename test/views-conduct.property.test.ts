import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Message, VarveError, type View } from "../src/index.js";
import { isBlank } from "../src/message/content.js";
import { calls, result, says, system, user } from "./support/build.js";
import {
  type Action,
  conduct,
  expectSound,
  interlude,
  ofLog,
  type Setting,
  type Shown,
  setting,
} from "./support/conduct.js";
import { history, text } from "./support/histories.js";
import { runs } from "./support/runs.js";

const said = text.filter((words) => /\S/.test(words));
const batch = fc.array(text, { minLength: 1, maxLength: 4 });

/** Appends of whole exchanges: users, assistants, calls with all their results. */
const exchange: fc.Arbitrary<Action> = fc
  .oneof(
    { weight: 3, arbitrary: said.map((words) => () => [user(words)]) },
    { weight: 2, arbitrary: said.map((words) => () => [says(words)]) },
    {
      weight: 5,
      arbitrary: fc.tuple(fc.nat(), batch).map(([seed, results]) => () => {
        const ids = results.map((_, at) => `c${seed}-${at}`);
        return [calls(...ids), ...results.map((value, at) => result(ids[at]!, value))];
      }),
    },
  )
  .map((make) => ({ kind: "append" as const, messages: make() }));

const anyHistory: fc.Arbitrary<Action[]> = history.map((messages) =>
  messages.map((message) => ({ kind: "append" as const, messages: [message] })),
);

/** Puts interludes between actions. */
const mixed = (actions: fc.Arbitrary<Action[]>): fc.Arbitrary<Action[]> =>
  fc
    .tuple(actions, fc.array(fc.tuple(fc.nat(), interlude), { maxLength: 16 }))
    .map(([list, others]) =>
      others.reduce((all, [at, action]) => all.toSpliced(at % (all.length + 1), 0, action), list),
    );

/** Logs longer than a first look at them takes in, broken in places, with pins anywhere in them. */
const long: fc.Arbitrary<Action[]> = fc
  .record({
    pattern: fc.array(fc.constantFrom("turn", "step", "lost", "late", "blank", "system"), {
      minLength: 2,
      maxLength: 9,
    }),
    size: fc.integer({ min: 530, max: 1_300 }),
    words: fc.integer({ min: 1, max: 25 }),
    later: fc.nat(60),
    pins: fc.array(fc.record({ kind: fc.constant("pin" as const), at: fc.nat() }), { maxLength: 5 }),
    others: fc.array(interlude, { maxLength: 8 }),
  })
  .map(({ pattern, size, words, later, pins, others }): Action[] => {
    const messages: Message[] = [user("the very first request")];
    for (let at = 0; messages.length < size; at++)
      messages.push(...PATTERNS[pattern[at % pattern.length]!]!(at, words));
    const first = { kind: "append" as const, messages: messages.slice(0, messages.length - later) };
    const rest = messages
      .slice(messages.length - later)
      .map((message) => ({ kind: "append" as const, messages: [message] }));
    return [first, ...pins, ...rest, ...others];
  });

const many = (count: number): string => "word ".repeat(count).trim();
const PATTERNS: Record<string, (at: number, size: number) => Message[]> = {
  turn: (at, size) => [user(`request ${at}`), says(many(size))],
  step: (at, size) => [calls(`c${at}`), result(`c${at}`, many(size))],
  lost: (at) => [calls(`lost${at}`), says("never mind")],
  late: (at) => [calls(`late${at}`), user(`hurry ${at}`), result(`late${at}`, "at last")],
  blank: () => [says(" ")],
  system: (at) => [system(`rule ${at % 3}`)],
};

async function sound(actions: readonly Action[], options: Setting): Promise<Shown[]> {
  const shown = await conduct(actions, options);
  let before: View | undefined;
  for (const each of shown) {
    expectSound(each, before);
    if (!(each.view instanceof VarveError)) before = each.view;
  }
  return shown;
}

describe("a session under any actions", () => {
  it("keeps every promise of a view: pins, usage reports, changes of the window, an archive, broken logs", async () => {
    await fc.assert(
      fc.asyncProperty(mixed(anyHistory), setting, async (actions, options) => {
        await sound(actions, options);
      }),
    );
  });

  it("keeps them in logs longer than a first look takes in", async () => {
    await fc.assert(
      fc.asyncProperty(long, setting, async (actions, options) => {
        await sound(actions, { ...options, window: options.window + 300 });
      }),
      { numRuns: runs(25) },
    );
  });

  it("accounts for every entry: it is shown, or left out by a receipt and in the archive", async () => {
    const actions = fc.array(fc.oneof({ weight: 6, arbitrary: exchange }, { weight: 1, arbitrary: interlude }), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(actions, setting, async (drawn, given) => {
        const list = drawn.filter(({ kind }) => kind !== "pin" && kind !== "configure");
        const options = { ...given, window: given.window + 100, archives: true };
        for (const { view, entries, archived, accounted } of await sound(list, options)) {
          if (view instanceof VarveError) continue;
          expect(ofLog(view, options.system)).toHaveLength(entries.length - view.leftOut);
          expect(archived).toHaveLength(view.leftOut);
          expect(accounted).toBe(view.leftOut);
        }
      }),
    );
  });

  it("keeps the prefix of its views from one cut to the next, also when usage is reported", async () => {
    const actions = fc.array(
      fc.oneof(
        { weight: 5, arbitrary: exchange },
        { weight: 2, arbitrary: interlude.filter(({ kind }) => kind === "report") },
      ),
      { minLength: 4, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(actions, setting, async (list, given) => {
        const options = { ...given, window: given.window + 600, context: undefined };
        const shown = await sound(list, options);
        for (const [at, now] of shown.entries()) {
          const before = shown[at - 1];
          // The opener of an empty log makes way for the first message.
          if (before === undefined || before.entries.length === 0) continue;
          if (isTight(now, options) || isTight(before, options)) continue;
          expect(now.view).not.toBeInstanceOf(VarveError);
          if (now.view instanceof VarveError || before.view instanceof VarveError) continue;
          if (now.view.receipt?.reason.startsWith("the history exceeded")) continue;
          const { length } = before.view.messages;
          expect(JSON.stringify(now.view.messages.slice(0, length))).toBe(JSON.stringify(before.view.messages));
        }
      }),
    );
  });
});

/** Whether the last turn alone may be too large for the window, so that it has to be shortened at every view. */
function isTight({ entries, usable, count }: Shown, { system: prompt = "" }: Setting): boolean {
  const request = entries.findLast(({ message }) => message.role === "user" && !isBlank(message));
  const opening = entries.findLastIndex(({ message }) => message.role !== "tool");
  const last = entries.slice(Math.max(0, opening)).map(({ message }) => message);
  return count([system(prompt), ...(request === undefined ? [] : [request.message]), ...last]) > usable * 0.8;
}
