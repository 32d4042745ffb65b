import { describe, expect, it } from "vitest";
import { compactContext, emptyContextDocument, loadPlugins, maybeCompactContext } from "../src/index.js";
import { user } from "./support/build.js";

const refusal = (option: string, code = "invalid-option") =>
  expect.objectContaining({ code, hint: expect.any(String), details: expect.objectContaining({ option }) });

/** What a program without types may pass. */
const odd = (value: unknown) => value as never;

describe("a function that is handed nonsense", () => {
  it.each([null, {}, "x", { messages: "x" }])("maybeCompactContext refuses the context %j", async (context) => {
    await expect(maybeCompactContext(odd(context))).rejects.toEqual(refusal("context"));
  });

  it("maybeCompactContext refuses what is no message, and options that are none", async () => {
    const refused = expect.objectContaining({ code: "invalid-message", details: { index: 1 } });
    await expect(maybeCompactContext({ messages: [user("a"), odd(null)] })).rejects.toEqual(refused);
    await expect(maybeCompactContext({ messages: [] }, odd(null))).rejects.toEqual(refusal("options"));
  });

  it.each([null, {}, "x"])("compactContext refuses the document %j", async (document) => {
    await expect(compactContext(odd(document), { now: 0 })).rejects.toEqual(refusal("document"));
    await expect(compactContext(emptyContextDocument("s"), odd(document))).rejects.toEqual(
      refusal(document !== null && typeof document === "object" ? "now" : "options"),
    );
  });

  it.each(["x", null, [5], {}])("loadPlugins refuses the paths %j", async (paths) => {
    await expect(loadPlugins(odd(paths))).rejects.toEqual(refusal("paths"));
    await expect(loadPlugins([], odd(null))).rejects.toEqual(refusal("options"));
  });
});
