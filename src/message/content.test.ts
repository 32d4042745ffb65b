import { describe, expect, it } from "vitest";
import { outputText } from "./content.js";

describe("outputText", () => {
  it("is what is sent: the words of a denial, JSON, the texts among contents", () => {
    expect(outputText({ type: "execution-denied" })).toBe("Tool execution denied.");
    expect(outputText({ type: "execution-denied", reason: "not now" })).toBe("not now");
    expect(outputText({ type: "json", value: { a: 1 } })).toBe('{"a":1}');
    const image = { type: "image-data", data: "AAAA", mediaType: "image/png" };
    expect(
      outputText({ type: "content", value: [{ type: "text", text: "one" }, image, { type: "text", text: "two" }] }),
    ).toBe("one\ntwo");
  });
});
