import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { history } from "../../test/support/histories.js";
import { runs } from "../../test/support/runs.js";
import { sealMessage } from "./seal-message.js";
import { toolCallFromText } from "./tool-call.js";
import type { Message } from "./types.js";
import { messageFromJSON, messageToJSON, stateFromJSON, stateToJSON } from "./value-json.js";

describe("messages as JSON", () => {
  it("come back as they were, whatever they hold", () => {
    fc.assert(
      fc.property(history, (messages) => {
        for (const message of messages) {
          const again = messageFromJSON(messageToJSON(message));
          expect(again).toEqual(message);
          expect(messageToJSON(again)).toBe(messageToJSON(message));
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it("come back with any value in a call's arguments", () => {
    const value = fc.oneof(fc.jsonValue(), fc.object({ key: fc.constantFrom("$varve", "__proto__", "a", "type") }));
    fc.assert(
      fc.property(value, (input) => {
        const content = [{ type: "tool-call" as const, toolCallId: "a", toolName: "b", input }];
        const message: Message = { role: "assistant", content };
        expect(JSON.stringify(messageFromJSON(messageToJSON(message)))).toBe(JSON.stringify(message));
      }),
    );
  });

  it("keep the model's own text of a call's arguments, and write them once", () => {
    const call = toolCallFromText({ id: "a", name: "b", text: '{ "x" : 1.50 }' });
    const text = messageToJSON({ role: "assistant", content: [call] });
    expect(text.match(/1\.5/g)).toHaveLength(1);
    const [again] = messageFromJSON(text).content as [typeof call];
    expect([again.rawInput, again.input]).toEqual(['{ "x" : 1.50 }', { x: 1.5 }]);
  });
});

describe("bytes and addresses in a message", () => {
  it("are read as text, as a log keeps them, also where a store of 0.1.0 holds them under their marks", () => {
    const content = [
      { type: "image", image: { $varve: "bytes", base64: "AQID" }, mediaType: "image/png" },
      { type: "file", data: { type: "url", url: { $varve: "url", href: "https://a.example/b" } }, mediaType: "a/b" },
    ];
    const read = messageFromJSON(JSON.stringify({ role: "user", content }));
    const given = [
      { type: "image", image: new Uint8Array([1, 2, 3]), mediaType: "image/png" },
      { type: "file", data: { type: "url", url: new URL("https://a.example/b") }, mediaType: "a/b" },
    ];
    expect(read).toEqual(sealMessage({ role: "user", content: given }, 0));
    expect(messageFromJSON(messageToJSON({ role: "user", content: given } as Message))).toEqual(read);
    expect(read.content).toMatchObject([{ image: "AQID" }, { data: { url: "https://a.example/b" } }]);
  });
});

describe("states as JSON", () => {
  it("keep maps, sets, numbers without end, and objects that stand in several places", () => {
    const shared = { text: "once", list: [1, 2] };
    const outer = { shared, more: [shared] };
    const state = {
      map: new Map<number, unknown>([
        [1, shared],
        [2, outer],
      ]),
      set: new Set([shared, "a"]),
      again: outer,
      least: Number.NEGATIVE_INFINITY,
      missing: undefined,
    };
    const text = JSON.stringify(stateToJSON(state));
    expect(text.match(/once/g)).toHaveLength(1);
    const back = stateFromJSON(JSON.parse(text)) as typeof state;
    expect(back).toEqual(state);
    expect(back.map.get(1)).toBe(back.again.shared);
    expect(back.map.get(2)).toBe(back.again);
    expect(back.set.has(back.again.more[0]!)).toBe(true);
    expect(Object.isFrozen(back.again.shared.list)).toBe(true);
  });
});
