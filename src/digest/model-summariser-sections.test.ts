import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { fitSections } from "./model-summariser-fit.js";
import { leftOut, SECTIONS } from "./model-summariser-lines.js";
import { changeSections, parseSections, renderSections } from "./model-summariser-sections.js";

const NOTES = `## Goal
- Port the parser

## Constraints
- Never touch src/legacy

## Done
- Read lexer.ts

## Open
- Port tokens.ts
- Port tree.ts`;

const counter = createTokenCounter();

describe("merging by delta", () => {
  test("what is not named stays byte for byte", () => {
    const { sections } = changeSections(parseSections(NOTES), "## Open\n- open-1\n## Done\n+ Port tokens.ts");
    expect(renderSections(sections)).toBe(
      NOTES.replace("- Port tokens.ts\n", "").replace("lexer.ts", "lexer.ts\n- Port tokens.ts"),
    );
  });

  test("an answer without changes changes nothing, one without headings is not understood", () => {
    const before = parseSections(NOTES);
    expect(changeSections(before, "No changes.")).toEqual({ sections: before, understood: true });
    expect(changeSections(before, "I'm sorry, I can't help with that.")).toEqual({
      sections: before,
      understood: false,
    });
    expect(changeSections(before, "").understood).toBe(false);
  });

  test.each([
    "- open-2",
    "- [open-2]",
    "- open-2: Port tree.ts",
    "- [open-2] finished",
    "- Port tree.ts",
    "- port  tree.ts.",
  ])("%s removes the second open item", (line) => {
    expect(changeSections(parseSections(NOTES), `## Open\n${line}`).sections.open).toEqual(["Port tokens.ts"]);
  });

  test("a name that no item has removes and adds nothing", () => {
    expect(changeSections(parseSections(NOTES), "## Open\n- open-9").sections.open).toHaveLength(2);
  });

  test("a list with minus signs adds where nothing has those words", () => {
    expect(changeSections(parseSections(""), "## Open\n- First\n- Second").sections.open).toEqual(["First", "Second"]);
  });

  test("headings in other dress, fences, numbers and lines that go on are understood", () => {
    const answer = "```markdown\n**Goal:**\n1. Ship it\n   by Friday\n\n### Next Steps:\n* Test\nErrors: none\n```";
    const { sections } = changeSections(parseSections(""), answer);
    expect([sections.goal, sections.next, sections.errors]).toEqual([["Ship it by Friday"], ["Test"], []]);
  });

  test("what becomes done is open no more, and nothing stands twice", () => {
    const { sections } = changeSections(parseSections(NOTES), "## Done\n+ port tokens.ts\n+ Read lexer.ts");
    expect(sections.open).toEqual(["Port tree.ts"]);
    expect(sections.done).toEqual(["Read lexer.ts", "port tokens.ts"]);
  });

  test("a task that comes back is open and done no more", () => {
    const { sections } = changeSections(parseSections(NOTES), "## Open\n+ Read lexer.ts");
    expect([sections.open.at(-1), sections.done]).toEqual(["Read lexer.ts", []]);
  });

  test("items in scripts without Latin letters are items", () => {
    expect(changeSections(parseSections(""), "## Open\n- 修复登录\n- Исправить вход").sections.open).toHaveLength(2);
  });

  test("an error is no section", () => {
    expect(changeSections(parseSections(""), "Error: 529 overloaded").understood).toBe(false);
    expect(changeSections(parseSections(""), "# Service unavailable\ntry again").understood).toBe(false);
  });

  test("a heading that is not ours ends a section of ours", () => {
    const { constraints, earlier } = parseSections("Constraints:\nNever push\nRequests:\nfix it\n2. Key Concepts:\nGo");
    expect(constraints).toEqual(["Never push"]);
    expect(earlier).toEqual(["Requests:", "fix it", "Key Concepts:", "Go"]);
  });

  test("a line that is drawn in belongs to the heading before it, not to the section before that", () => {
    const { goal, open } = parseSections("Goal:\n- Ship it\nOpen:\n   Test it\n   on Linux");
    expect([goal, open]).toEqual([["Ship it"], ["Test it on Linux"]]);
  });

  test("text of another kind is carried on whole", () => {
    const text = "[Digest d1: e0 to e4]\nRequests:\nfix src/a.ts";
    const lines = parseSections(text).earlier;
    expect(lines.join("\n")).toBe(text);
  });
});

describe("properties", () => {
  const item = fc.stringMatching(/^[a-z]{3,8}( [a-z0-9./]{1,8}){1,5}$/);
  const notes = fc.record(Object.fromEntries(SECTIONS.map((name) => [name, fc.uniqueArray(item, { maxLength: 4 })])));

  test("notes read back as they were written", () => {
    fc.assert(
      fc.property(notes, (record) => {
        const sections = parseSections(renderSections(record as never));
        expect(parseSections(renderSections(sections))).toEqual(sections);
      }),
    );
  });

  test("fitted notes keep to their limit, give up goal and constraints last, and say what is missing", () => {
    fc.assert(
      fc.property(notes, fc.integer({ min: 20, max: 200 }), (record, maxTokens) => {
        const before = parseSections(renderSections(record as never));
        const { sections, text, left } = fitSections(before, { maxTokens, counter, left: 0 });
        const count = (each: typeof sections): number => SECTIONS.reduce((sum, name) => sum + each[name].length, 0);
        expect(counter.text(text)).toBeLessThanOrEqual(maxTokens);
        expect(count(before) - count(sections)).toBe(left);
        expect(leftOut(text)).toBe(left);
        if (sections.constraints.length < before.constraints.length) expect(sections.open).toEqual([]);
      }),
    );
  });
});
