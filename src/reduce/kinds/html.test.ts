import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/support/runs.js";
import { countO200k } from "../../tokens/o200k.js";
import { reduceObservation } from "../reduce-observation.js";
import { htmlToText } from "./html-text.js";

const rows = (count: number, row: (index: number) => string) => Array.from({ length: count }, (_, i) => row(i));
const data = { items: rows(200, (i) => `widget ${i}`).map((name, id) => ({ id, name, price: id === 77 ? -5 : 9 })) };

describe("htmlToText", () => {
  it("reads blocks as lines, with links, images and fields", () => {
    const html = `<h2>News</h2><ul><li>One <a href="/x?a=1&amp;b=2">here</a></li></ul><img alt="A cat"><input name=q type="text">`;
    expect(htmlToText(html)).toBe("## News\n- One [here](/x?a=1&b=2)\n[image A cat]\n[input name=q type=text]");
  });

  it("leaves out what no reader sees, whatever the case of its tags", () => {
    expect(htmlToText("<p>a<SCRIPT>x < y</ScRiPt >b<style>p{}</style><!-- c -->d</p>")).toBe("a b d");
  });

  it("reads on where letters change their length with their case", () => {
    expect(htmlToText(`<p>${"İ".repeat(40)}stanbul</p><script>hidden()</script><p>end</p>`)).toBe(
      `${"İ".repeat(40)}stanbul\nend`,
    );
  });

  it.each(["<svg>", "<script>", "<template>", "<!--", "<style media=x>"])(
    "hides nothing but %s if it never ends",
    (tag) => {
      expect(htmlToText(`<p>before</p>${tag}<p>after</p>`)).toBe("before\nafter");
    },
  );

  it("takes a sign that opens no tag for text", () => {
    expect(htmlToText("<p>a < b and c <= d, 1<2</p><p>x <end")).toBe("a < b and c <= d, 1<2\nx <end");
  });
});

describe("HTML", () => {
  it("says that it is shown as text, and how long its source was", () => {
    const html = `<!doctype html><html><body><p>Short.</p><style>${"p { color: red }\n".repeat(400)}</style></body></html>`;
    const [head, first] = reduceObservation(html, { maxTokens: 256 }).text.split("\n");
    expect([head, first]).toEqual([`[Data Truncated: html of ${html.length} chars as text, 1 line]`, "Short."]);
    expect(reduceObservation(html, { maxTokens: 30 }).text.split("\n").slice(0, 2)).toEqual([
      "[Data Truncated: html as text]",
      "Short.",
    ]);
  });

  it("shows the data of a page that its scripts would fill", () => {
    const html = `<!doctype html><html><head><title>Shop</title></head><body><div id="root"></div><script>start()</script><script id="state" type="application/json">${JSON.stringify(data)}</script></body></html>`;
    const { text, kind } = reduceObservation(html, { maxTokens: 300 });
    expect(kind).toBe("html");
    expect(text).toContain('as text, 1 line]\n# Shop\n<script id="state" type="application/json">\n{"items":[{"id":0,');
    expect(text).toContain('{"id":77,"name":"widget 77","price":-5}');
  });

  it("shows the source of a page with hardly any text", () => {
    const html = `<html><body>\n${rows(300, (i) => `<script src="/part${i}.js"></script>`).join("\n")}\n<p>hi</p></body></html>`;
    const { text, linesOmitted } = reduceObservation(html, { maxTokens: 300 });
    expect(linesOmitted).toBeGreaterThan(200);
    expect(text).toContain("as text, 1 line]\nhi\n[Data Truncated: html, 302 lines]\n<html><body>");
    expect(text).toContain('<script src="/part0.js"></script>');
    expect(text).toMatch(/\.\.\. \(\d+ lines omitted: \d+-\d+\) \.\.\./);
  });

  it("shows the elements of a page with no text at all", () => {
    const html = `<html><body>${rows(300, (i) => `<div class="cell" data-value="${i}"></div>`).join("")}</body></html>`;
    const { text } = reduceObservation(html, { maxTokens: 300 });
    expect(text).toContain(`[Data Truncated: html of ${html.length} chars, reflowed, 302 lines]`);
    expect(text).toContain('<div class="cell" data-value="0"></div>\n');
  });

  it("is never shortened without a mark", () => {
    const piece = fc.constantFrom(
      "<p>text",
      "<script>",
      "</script>",
      "<a href=x>",
      "<",
      "İ",
      "&amp;",
      "<!--",
      "\n",
      "{}",
    );
    const page = fc.array(piece, { maxLength: 60 }).map((pieces) => `<!doctype html>${pieces.join("")}`);
    fc.assert(
      fc.property(page, fc.integer({ min: 4, max: 300 }), (html, maxTokens) => {
        const { text, reduced } = reduceObservation(html, { maxTokens });
        expect(countO200k(text)).toBeLessThanOrEqual(maxTokens);
        if (reduced) expect(text).toMatch(/^\[Data Truncated: html| omitted\)|…/);
      }),
      { numRuns: runs(300) },
    );
  });
});
