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
import { IdentifierIndex } from "./identifier-index.js";
import { coverTo, type Layers, layersWithin, layerTokens } from "./layers.js";

const counter = createTokenCounter();
function logOf(messages: readonly Message[]): Log {
  const log = new Log();
  for (const [at, message] of messages.entries())
    log.push(entryOf(packMessage(message, at), at, { first: 0, after: -1, time: 0 }));
  return log;
}
const NONE: Layers = { covered: 0, digests: [] };
const inputOf = (log: Log, room: number, fanout = 4) => ({
  log,
  counter,
  index: new IdentifierIndex(),
  leaf: 200,
  fanout,
  trimShare: 0.8,
  room,
});
const steps = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => [
    calls(`c${at}`),
    result(`c${at}`, `${words(30)} error_${at} in src/module${at}.ts`),
  ]).flat();

describe("layers", () => {
  it("cover the log without a gap, in order, within their tokens, with a bounded number of levels", () => {
    const log = logOf([user("fix the build"), ...steps(400)]);
    const input = inputOf(log, 1_500);
    let layers = NONE;
    for (let cut = 8; cut <= 800; cut += 8) {
      layers = coverTo(layers, cut, input);
      const { digests } = layers;
      expect(layerTokens(layers)).toBeLessThanOrEqual(1_500);
      expect(digests[0]!.from).toBe(0);
      expect(digests.at(-1)!.to).toBe(cut);
      for (const [at, digest] of digests.entries()) if (at > 0) expect(digest.from).toBe(digests[at - 1]!.to);
    }
    expect(Math.max(...layers.digests.map(({ level }) => level))).toBeLessThanOrEqual(12);
  });

  it("say nothing that the log does not say", () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 80, max: 1_000 }), (messages, room) => {
        const log = logOf(messages);
        const { digests } = coverTo(NONE, messages.length, inputOf(log, room));
        const said = messages.map(messageText).join("\n");
        for (const item of digests.flatMap(({ items }) => items)) expect(said).toContain(item.text);
      }),
    );
  });

  it("carry a user's constraint word for word through twenty merges", () => {
    const constraint = "Never touch the migrations folder.";
    const log = logOf([user(`Please fix the login. ${constraint}`), ...steps(300)]);
    const input = inputOf(log, 400, 2);
    let layers = NONE;
    for (let cut = 12; cut <= 600; cut += 12) layers = coverTo(layers, cut, input);
    expect(layers.digests.map(({ text }) => text).join("\n")).toContain(constraint);
  });

  it("keep an identifier with the words around it", () => {
    const log = logOf([
      user("go"),
      calls("a"),
      result("a", "the service listens on db-primary.internal:5433 since Monday"),
      says("noted"),
      ...steps(3),
    ]);
    const { digests } = coverTo(NONE, 4, inputOf(log, 300));
    expect(digests[0]!.text).toContain("listens on db-primary.internal:5433 since");
  });

  it("are cut down for one view without losing anything for the next", () => {
    const log = logOf([user("go"), ...steps(60)]);
    const input = inputOf(log, 2_000);
    const layers = coverTo(NONE, 100, input);
    const before = structuredClone(layers);
    expect(layerTokens(layersWithin(layers, 200, input))).toBeLessThanOrEqual(200);
    expect(layers).toEqual(before);
  });

  it("name the entries that they cover", () => {
    const log = logOf([user("go"), ...steps(60)]);
    expect(coverTo(NONE, 100, inputOf(log, 2_000)).digests.map(({ id }) => id)).toEqual(["e0-e99"]);
  });

  it("read no more of a log that nobody has shown than its newest messages", () => {
    const log = logOf(Array.from({ length: 30_000 }, (_, at) => says(`note ${at} on src/file${at}.ts`)));
    const { digests } = coverTo(NONE, 29_000, inputOf(log, 2_000));
    expect(digests.map(({ from, to, items }) => [from, to, items.length > 0])).toEqual([
      [0, 26_500, false],
      [26_500, 29_000, true],
    ]);
  });
});
