import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { changedStatements, fittedStatements, statementsIn, statementsText } from "./model-statements.js";

const counter = createTokenCounter();
const BEFORE = ["The parser was ported first.", "tokens.ts waits for the lexer.", "tree.ts waits for tokens.ts."];

describe("what a model changes", () => {
  test("what is not named stays byte for byte, what is added stands last", () => {
    expect(changedStatements(BEFORE, "withdraw 2\n- tokens.ts is ported.")).toEqual([
      BEFORE[0],
      BEFORE[2],
      "tokens.ts is ported.",
    ]);
  });

  test.each([
    "withdraw 2, 3",
    "Withdraw: 2 and 3",
    "- withdraw 2, 3",
    "withdrawn 2\nwithdrawn 3",
    "Withdraw statements 2, 3.",
  ])("%s withdraws both", (answer) => expect(changedStatements(BEFORE, answer)).toEqual([BEFORE[0]]));

  test("an answer without changes changes nothing, one that is no list is not understood", () => {
    expect(changedStatements(BEFORE, "No changes.")).toEqual(BEFORE);
    expect(changedStatements(BEFORE, "I'm sorry, I can't help with that.")).toBeUndefined();
    expect(changedStatements(BEFORE, "Error: 529 overloaded")).toBeUndefined();
    expect(changedStatements(BEFORE, "")).toBeUndefined();
  });

  test("a number that no statement has withdraws nothing, and nothing stands twice", () => {
    expect(changedStatements(BEFORE, "withdraw 9\n- the parser was ported first")).toHaveLength(3);
  });
});

describe("statements", () => {
  test("keep their heading, whatever its dress, since alone they might say something else", () => {
    const text = "```markdown\n**Open:**\n1. Ship it\n   by Friday\n\n### Next Steps:\n* Test\n```";
    expect(statementsIn(text)).toEqual(["Open: Ship it by Friday", "Next Steps: Test"]);
  });

  test("in scripts without Latin letters are statements", () => {
    expect(statementsIn("- 修复登录\n- Исправить вход")).toHaveLength(2);
  });

  const statement = fc.stringMatching(/^[a-z]{3,8}( [a-z0-9./]{1,8}){1,5}$/);

  test("read back as they were written", () => {
    fc.assert(
      fc.property(fc.uniqueArray(statement), (all) => {
        expect(statementsIn(statementsText(all))).toEqual(all);
      }),
    );
  });

  test("fitted keep to their limit, let go of the oldest alone, and of no more than they must", () => {
    fc.assert(
      fc.property(fc.uniqueArray(statement, { maxLength: 30 }), fc.integer({ min: 20, max: 200 }), (all, maxTokens) => {
        const kept = fittedStatements(all, maxTokens, counter);
        expect(counter.text(statementsText(kept))).toBeLessThanOrEqual(maxTokens);
        expect(kept).toEqual(all.slice(all.length - kept.length));
        const one = all.at(-kept.length - 1);
        if (kept.length < all.length && one !== undefined)
          expect(counter.text(statementsText([one, ...kept]))).toBeGreaterThan(maxTokens * 0.8);
      }),
    );
  });
});
