import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";
import { findMarkup } from "./markup-root.js";

describe("findMarkup", () => {
  it.each([
    ["a page", "<!DOCTYPE html>\n<html><body>"],
    ["a page of XHTML", '\ufeff<?xml version="1.0"?>\n<!-- x --><html xmlns="x">'],
    ["a page without a doctype", "  <html lang=en>"],
  ])("is sure of %s", (_, text) => {
    expect(findMarkup(text)).toEqual({ kind: "html", sure: true });
  });

  it.each([
    ["XML that quotes HTML", '<?xml version="1.0"?><!-- <html> --><report><![CDATA[<body><p>]]></report>'],
    ["XML with a prefix that HTML has for a name", '<?xml version="1.0"?><a:t>text</a:t>'],
    ["another document type", "<!DOCTYPE plist><plist>"],
  ])("is sure of %s", (_, text) => {
    expect(findMarkup(text)).toEqual({ kind: "xml", sure: true });
  });

  it.each<["html" | "xml", string]>([
    ["html", '<div class="a"><p>One</p><my-part>two</my-part></div>'],
    ["xml", "<a:p><a:t>One</a:t></a:p>"],
    ["xml", '<table><row id="1"><value>3</value></row><row id="2"/></table>'],
    ["xml", "<template><div><p>component</p></div></template>"],
    ["xml", "<report><!-- <p>, <p> and <p> --><p>1</p></report>"],
  ])("takes for %s a text that begins so: %s", (kind, text) => {
    expect(findMarkup(text)).toEqual({ kind, sure: false });
  });

  it.each(["<<EOF", "< 5", "<?php echo 1;", "<!-- a comment -->\n# Title", ""])("takes for none: %s", (text) => {
    expect(findMarkup(text)).toBeUndefined();
  });

  it("is not sure of a page that something else follows", () => {
    const page = `<!DOCTYPE html>\n<html><body>${"<p>words</p>\n".repeat(40)}</body></html>\n`;
    const run = Array.from({ length: 60 }, (_, i) => `tests/a.py::test_${i} ${i === 30 ? "FAILED" : "PASSED"}`);
    const end = "FAILED tests/a.py::test_30 - assert 3 == 4\n===== 1 failed, 59 passed in 0.12s =====\n";
    expect(findMarkup(`${page}<!-- served in 3 ms -->\n`)).toEqual({ kind: "html", sure: true });
    const { kind, text } = reduceObservation(`${page}${run.join("\n")}\n${end}`, { maxTokens: 128 });
    expect(kind).toBe("test-run");
    expect(text).toContain(end.trim());
  });

  it("leaves Markdown that opens with an element to prose", () => {
    const section = (i: number) => `## Part ${i}\n\nSome words on part ${i}, ${"and more of them ".repeat(9)}.\n`;
    const source = `<p align="center"><img src="logo.png"></p>\n\n${Array.from({ length: 30 }, (_, i) => section(i)).join("\n")}`;
    const { kind, text } = reduceObservation(source, { maxTokens: 400 });
    expect(kind).toBe("prose");
    expect(text).toContain("\n## Part 29\n");
  });
});
