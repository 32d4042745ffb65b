import { describe, expect, it } from "vitest";
import { checkNames, unknownName } from "./option-names.js";

const KNOWN = { limit: true, dry: true, key: true, trusted: true };
const check = (options: unknown) => checkNames(options, KNOWN, "a test");

describe("names of options", () => {
  it.each([{}, { limit: 1 }, { limit: undefined, dry: true }, Object.create({ key: 1 })])(
    "pass where they are known",
    (options) => {
      expect(check(options)).toBe(options);
    },
  );

  it.each([undefined, null, 5, "limit", [], () => undefined])("are not looked for in %s", (options) => {
    expect(() => check(options)).toThrow(
      expect.objectContaining({ code: "invalid-option", hint: expect.stringContaining("an object with limit, dry") }),
    );
  });

  it.each([
    ["limt", "limit"],
    ["Limit", "limit"],
    ["dryRun", "dry"],
    ["idempotencyKey", "key"],
    ["trust", "trusted"],
  ])("are refused, and %s is taken for %s", (option, meant) => {
    const hint = `Did you mean ${meant}? Known are limit, dry, key, trusted.`;
    expect(() => check({ [option]: 1 })).toThrow(
      expect.objectContaining({ message: `There is no option ${option} of a test.`, hint }),
    );
  });

  it.each(["verbose", "toString", "constructor", "__proto__x", "0"])("are refused where none is near: %s", (option) => {
    expect(() => check({ limit: 1, [option]: 1 })).toThrow(
      expect.objectContaining({ hint: "Known are limit, dry, key, trusted." }),
    );
  });

  it("keep what stands under a mistyped name to themselves", () => {
    try {
      check({ kei: "sk-secret" });
      expect.unreachable();
    } catch (error) {
      expect(JSON.stringify({ ...(error as object), message: String(error) })).not.toContain("sk-secret");
    }
  });

  it("say which one is not known", () => {
    expect(unknownName({ limit: 1, a: 2, b: 3 }, KNOWN)).toBe("a");
    expect(unknownName({ limit: 1 }, KNOWN)).toBeUndefined();
  });
});
