import { describe, expect, test } from "vitest";
import { historyOf } from "../message/exchanges.js";
import type { Message } from "../message/types.js";
import { GENERATION, IdentifierIndex, readFrom } from "./identifier-index.js";

const says = (content: string): Message => ({ role: "user", content });

/** Each message names a file of its own, and one of ten that come up again and again. */
const messages = Array.from({ length: 4 * GENERATION }, (_, at) =>
  says(`src/own-${at}.ts and src/shared-${at % 10}.ts`),
);
const history = historyOf(messages);

function indexTo(position: number, from = 0): IdentifierIndex {
  const index = new IdentifierIndex(from);
  index.readTo(position, history);
  return index;
}

describe("an index of identifiers", () => {
  test("knows what was named in the last messages, and forgets what was not", () => {
    const index = indexTo(messages.length);
    expect(index.record(`src/own-${messages.length - GENERATION}.ts`)).toMatchObject({ user: 1, messages: 1 });
    expect(index.record("src/own-0.ts")).toBeUndefined();
  });

  test("adds up what two generations name", () => {
    const index = indexTo(GENERATION + 100);
    expect(index.record("src/shared-3.ts")).toEqual({
      user: (GENERATION + 100) / 10,
      agent: 0,
      call: 0,
      result: 0,
      argument: 0,
      first: 3,
      last: GENERATION + 93,
      lastCall: -1,
      messages: (GENERATION + 100) / 10,
    });
  });

  test.each([1, GENERATION - 1, GENERATION, GENERATION + 1, 3 * GENERATION, 3 * GENERATION + 7])(
    "knows the same of %d messages wherever it began to read",
    (length) => {
      const [all, end] = [indexTo(length), indexTo(length, readFrom(length))];
      for (let at = 0; at < length; at += 97)
        for (const name of [`src/own-${at}.ts`, `src/shared-${at % 10}.ts`])
          expect(end.record(name)).toEqual(all.record(name));
    },
  );
});
