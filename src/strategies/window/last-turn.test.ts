import { expect, it } from "vitest";
import { Shrinker } from "../../compaction/shrink.js";
import type { UserMessage } from "../../message/types.js";
import { createTokenCounter } from "../../tokens/create-token-counter.js";
import { fitLastTurn } from "./last-turn.js";

it("shows a request with some of its words, or not at all, beside a part that cannot be cut", () => {
  const counter = createTokenCounter();
  const note = {
    type: "custom" as const,
    kind: "acme.note" as const,
    providerOptions: { acme: { text: "a note of some length ".repeat(8) } },
  };
  const text = { type: "text" as const, text: `Change the port to 8443. ${"Then restart it. ".repeat(60)}` };
  const request: UserMessage = { role: "user", content: [text, note] };
  for (let room = 1; room < 160; room++) {
    const fitted = fitLastTurn({ request: undefined, final: new Shrinker([request], counter) }, room, counter);
    if (fitted !== undefined) expect(JSON.stringify(fitted.final)).toContain("Change the port");
  }
});
