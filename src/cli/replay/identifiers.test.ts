import { describe, expect, it } from "vitest";
import { fromOpenAI } from "../../index.js";
import { argumentIdentifiers, identifiersIn } from "./identifiers.js";

const call = (text: string) =>
  fromOpenAI([
    {
      role: "assistant",
      content: "see src/other.ts",
      tool_calls: [{ id: "c1", type: "function", function: { name: "read_file_1", arguments: text } }],
    },
  ])[0]!;

describe("the identifiers of a text", () => {
  it.each([
    ["src/a.ts", ["src/a.ts"]],
    ["(see src/store/open.ts, line 12).", ["src/store/open.ts"]],
    ["openSession and plainly prose", ["openSession"]],
    ["user_id=482913", ["user_id", "482913"]],
    ["https://example.com/a#b", ["https://example.com/a#b"]],
    ["--verbose ...", []],
    ["a.b.c 12345", []],
    ["/usr/lib/ /usr/lib/", ["usr/lib"]],
  ])("%j", (text, expected) => {
    expect([...identifiersIn(text)]).toEqual(expected);
  });
});

describe("the identifiers of a call", () => {
  it("are those of its argument values, at any depth, and of nothing else", () => {
    const found = argumentIdentifiers(call('{"path_name":"src/a.ts","deep":{"list":["port\\n54321x"]}}'));
    expect(found.toSorted()).toEqual(["54321x", "src/a.ts"]);
  });

  it("are read from arguments that are broken JSON too", () => {
    expect(argumentIdentifiers(call('{"path":"src/a.ts'))).toContain("src/a.ts");
  });

  it("come in an order that does not hang on theirs", () => {
    const words = ["src/a.ts", "src/b.ts", "src/c.ts", "src/d.ts"];
    const found = argumentIdentifiers(call(JSON.stringify({ all: words })));
    expect(found).toEqual(argumentIdentifiers(call(JSON.stringify({ all: words.toReversed() }))));
  });
});
