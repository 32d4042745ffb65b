import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i)).join("\n");

const passed = (i: number) => `  <testcase name="passes ${i}" classname="ui.Widget" time="0.01"/>`;
const failed = (i: number) => `  <testcase name="renders ${i}" classname="ui.Widget">
    <failure message="No button ${i}" type="Error"><![CDATA[Unable to find an element
<body>
  <div>
    <p>Hi</p>
  </div>
</body>
    at widget.test.tsx:${i}:3]]></failure>
  </testcase>`;

describe("XML", () => {
  it("stays XML with a link in a comment", () => {
    const source = `<?xml version="1.0"?>\n<config>\n  <!-- see <a href="x">docs</a> -->\n${rows(300, (i) => `  <add key="Key${i}" value="v${i}"/>`)}\n</config>`;
    const { text, kind, linesOmitted } = reduceObservation(source, { maxTokens: 512 });
    expect(kind).toBe("xml");
    expect(text).toContain('<add key="Key0" value="v0"/>');
    expect(text).toContain('<add key="Key299" value="v299"/>\n</config>');
    expect(linesOmitted).toBeGreaterThan(200);
  });

  it("names every failing test of a report, then their messages, whatever the failures print", () => {
    const source = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="ui" tests="120" failures="4">\n${rows(120, (i) => (i % 30 === 7 ? failed(i) : passed(i)))}\n</testsuite>\n`;
    for (const maxTokens of [256, 512]) {
      const { text, kind } = reduceObservation(source, { maxTokens });
      expect(kind).toBe("xml");
      for (const i of [7, 37, 67, 97]) expect(text).toContain(`<testcase name="renders ${i}"`);
    }
    const { text } = reduceObservation(source, { maxTokens: 512 });
    for (const i of [7, 37, 67, 97]) expect(text).toContain(`<failure message="No button ${i}"`);
  });

  it("names a failing test that carries its failure as an attribute", () => {
    const odd = `\t<testcase name="adds up" time="0.1" classname="test" failure="5 !== 6">\n\t</testcase>`;
    const source = `<?xml version="1.0"?>\n<testsuites>\n${rows(200, (i) => (i === 90 ? odd : `\t<testcase name="can't fail ${i}" classname="test"/>`))}\n</testsuites>`;
    expect(reduceObservation(source, { maxTokens: 200 }).text).toContain('name="adds up"');
  });

  it.each([128, 256, 512])("says how many tests failed, besides their names, at %i tokens", (maxTokens) => {
    const suite = '\t<testsuite name="cart" time="0.07" errors="0" tests="60" failures="9" skipped="0">';
    const test = (i: number) =>
      i % 6 === 4
        ? `\t\t<testcase name="adds item ${i}" time="0.1" classname="test" failure="Expected ${i} to be ${i + 1}">\n\t\t\t<failure type="testCodeFailure" message="Expected ${i} to be ${i + 1}">\n[Error [ERR_TEST_FAILURE]: Expected ${i}]\n\t\t\t</failure>\n\t\t</testcase>`
        : `\t\t<testcase name="item ${i}" time="0.1" classname="test"/>`;
    const totals = "tests 60,suites 1,pass 50,fail 9,cancelled 1,skipped 0,todo 0,duration_ms 669.4".split(",");
    const source = `<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n${suite}\n${rows(60, test)}\n\t</testsuite>\n${totals.map((total) => `\t<!-- ${total} -->`).join("\n")}\n</testsuites>\n`;
    const { text } = reduceObservation(source, { maxTokens });
    expect(text).toContain("<!-- fail 9 -->");
    expect(text).toContain("<!-- cancelled 1 -->");
    expect(text).toContain('<testcase name="adds item 4"');
    const bare = reduceObservation(source.replace(/\t<!--.*\n/g, ""), { maxTokens }).text;
    expect(bare).toContain(suite);
    expect(bare).toContain('<testcase name="adds item 4"');
  });

  it("names the file of an error that a linter reports", () => {
    const source = `<checkstyle version="10">\n${rows(200, (i) => `<file name="src/A${i}.java">\n${i === 133 ? '<error line="3" message="Unused import"/>\n' : ""}</file>`)}\n</checkstyle>`;
    const { text } = reduceObservation(source, { maxTokens: 200 });
    expect(text).toContain('<file name="src/A133.java">\n<error line="3" message="Unused import"/>');
  });

  it("is a test report even if a test printed what a test runner prints", () => {
    const printed = "<system-out>FAILED a.py::test_x - boom\n====== FAILURES ======</system-out>";
    const source = `<?xml version="1.0"?>\n<testsuite>\n${printed}\n${rows(200, (i) => (i === 90 ? failed(i) : passed(i)))}\n</testsuite>`;
    const { text, kind } = reduceObservation(source, { maxTokens: 200 });
    expect(kind).toBe("xml");
    expect(text).toContain('<testcase name="renders 90"');
  });
});
