import { describe, expect, it } from "vitest";
import { system, user, words } from "../../../test/support/build.js";
import { isBlank } from "../../message/content.js";
import type { Entry } from "../../message/entry.js";
import { Log } from "../../message/log.js";
import type { Message } from "../../message/types.js";
import { createTokenCounter } from "../../tokens/create-token-counter.js";
import { LateSystemMessages } from "./late-system.js";

const counter = createTokenCounter();

/** A log that tells how often messages were read in it. */
function watchedLog(): { log: Log; reads: () => number; push: (message: Message) => void } {
  const log = new Log();
  let reads = 0;
  const entryAt = (message: Message, sequence: number): Entry => ({
    id: `e${sequence}`,
    sequence,
    parent: null,
    time: 0,
    origin: "application",
    role: message.role,
    blank: isBlank(message),
    get message() {
      reads++;
      return message;
    },
    tokens: undefined,
  });
  return { log, reads: () => reads, push: (message) => log.push(entryAt(message, log.entries.length)) };
}

const lateOf = (texts: readonly string[], room: number) => {
  const { log, push } = watchedLog();
  for (const message of [user("go"), ...texts.map(system)]) push(message);
  const late = new LateSystemMessages(log, counter, room);
  return { late, texts: late.update().map(({ message }) => message.content) };
};

describe("system messages from inside the conversation", () => {
  it("cost a later view no more than the messages that are new", () => {
    const { log, reads, push } = watchedLog();
    push(user("go"));
    for (let at = 0; at < 2_000; at++) push(system(at % 2 === 0 ? "remember" : `reminder ${at}`));
    const late = new LateSystemMessages(log, counter, 400);
    late.update();
    const before = reads();
    push(system("remember"));
    push(system("one more"));
    const shown = late.update();
    late.droppedFrom(log.entries.length - 4);
    expect(reads() - before).toBeLessThan(10);
    expect(shown.at(-1)?.message.content).toBe("one more");
  });

  it("keep their places when they are repeated at once, so that what is cached stays", () => {
    const { late, texts } = lateOf(["one", "two", "two", "two"], 400);
    expect(texts).toEqual(["one", "two"]);
    expect(late.shown).toEqual([1, 2]);
    expect(late.droppedFrom(0)).toEqual([]);
    expect([1, 2, 3, 4].filter((at) => late.isRepeat(at))).toEqual([3, 4]);
  });

  it("have the last word when they are said again after others", () => {
    const { late, texts } = lateOf(["in English", "in German", "in English"], 400);
    expect(texts).toEqual(["in German", "in English"]);
    expect(late.shown).toEqual([2, 3]);
    expect([1, 2, 3].filter((at) => late.isRepeat(at))).toEqual([1]);
  });

  it("give way to those said since, with all their repeats", () => {
    const { late, texts } = lateOf(["one", "two", "one", "three", " ", words(50)], 11);
    expect(texts).toEqual(["one", "three"]);
    expect(late.droppedFrom(0)).toEqual([2, 6]);
    expect(lateOf(["one", "one", "two", "three", "one"], 11).late).toMatchObject({ shown: [4, 5] });
    expect(lateOf(["one", "one", "two", "three", "one"], 11).late.droppedFrom(2)).toEqual([2, 3]);
  });
});
