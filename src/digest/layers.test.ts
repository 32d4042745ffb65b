import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calls, result, says, user, words } from "../../test/support/build.js";
import { history } from "../../test/support/histories.js";
import { messageText } from "../message/content.js";
import { entryOf } from "../message/entry.js";
import { Log } from "../message/log.js";
import { packMessage } from "../message/packed-message.js";
import type { Message } from "../message/types.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { Layers } from "./layers.js";

const counter = createTokenCounter();
function logOf(messages: readonly Message[]): Log {
  const log = new Log();
  for (const [at, message] of messages.entries())
    log.push(entryOf(packMessage(message, at), at, { first: 0, after: -1, time: 0 }));
  return log;
}
const options = { counter, largestLeaf: 200, fanout: 4, trimShare: 0.8 };
const steps = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => [
    calls(`c${at}`),
    result(`c${at}`, `${words(30)} error_${at} in src/module${at}.ts`),
  ]).flat();

describe("Layers", () => {
  it("covers the log without a gap, in order, within its tokens, with a bounded number of levels", () => {
    const log = logOf([user("fix the build"), ...steps(400)]);
    const layers = new Layers({ ...options, log });
    for (let cut = 8; cut <= 800; cut += 8) {
      layers.cover(cut, 1_500);
      const { frontier } = layers;
      expect(layers.tokens).toBeLessThanOrEqual(1_500);
      expect(frontier[0]!.from).toBe(0);
      expect(frontier.at(-1)!.to).toBe(cut);
      for (const [at, digest] of frontier.entries()) if (at > 0) expect(digest.from).toBe(frontier[at - 1]!.to);
    }
    expect(Math.max(...layers.frontier.map(({ level }) => level))).toBeLessThanOrEqual(12);
  });

  it("says nothing that the log does not say", () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 80, max: 1_000 }), (messages, maxTokens) => {
        const log = logOf(messages);
        const layers = new Layers({ ...options, log });
        layers.cover(messages.length, maxTokens);
        const said = messages.map(messageText).join("\n");
        for (const item of layers.frontier.flatMap(({ items }) => items)) expect(said).toContain(item.text);
      }),
    );
  });

  it("carries a user's constraint word for word through twenty merges", () => {
    const constraint = "Never touch the migrations folder.";
    const log = logOf([user(`Please fix the login. ${constraint}`), ...steps(300)]);
    const layers = new Layers({ ...options, log, fanout: 2 });
    for (let cut = 12; cut <= 600; cut += 12) layers.cover(cut, 400);
    expect(layers.frontier.map(({ text }) => text).join("\n")).toContain(constraint);
  });

  it("keeps an identifier with the words around it", () => {
    const log = logOf([
      user("go"),
      calls("a"),
      result("a", "the service listens on db-primary.internal:5433 since Monday"),
      says("noted"),
      ...steps(3),
    ]);
    const layers = new Layers({ ...options, log });
    layers.cover(4, 300);
    expect(layers.frontier[0]!.text).toContain("listens on db-primary.internal:5433 since");
  });

  it("trims for one view without losing anything for the next", () => {
    const log = logOf([user("go"), ...steps(60)]);
    const layers = new Layers({ ...options, log });
    layers.cover(100, 2_000);
    const before = layers.frontier;
    const trimmed = layers.trimmed(200);
    expect(trimmed.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(200);
    expect(layers.frontier).toBe(before);
  });

  it("goes back to a state it was in", () => {
    const log = logOf([user("go"), ...steps(60)]);
    const layers = new Layers({ ...options, log });
    layers.cover(40, 2_000);
    const { state } = layers;
    const texts = layers.frontier.map(({ text }) => text);
    layers.cover(100, 500);
    layers.restore(state);
    expect(layers.frontier.map(({ text }) => text)).toEqual(texts);
  });
});
