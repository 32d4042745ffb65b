import { describe, expect, test } from "vitest";
import { checkArchitecture, type Rule } from "./support/architecture.js";
import { readSources } from "./support/read-sources.js";

const rulesBroken = (files: Record<string, string>): Rule[] =>
  checkArchitecture(new Map(Object.entries(files))).map((violation) => violation.rule);

describe("the source tree", () => {
  const sources = readSources();

  test("is read, tests and scripts included", () => {
    expect([...sources.keys()]).toEqual(
      expect.arrayContaining(["src/errors.ts", "test/architecture.test.ts", "scripts/check.mjs", "bench/run.mjs"]),
    );
  });

  test("keeps every rule of the layout", () => {
    expect(checkArchitecture(sources)).toEqual([]);
  });
});

describe("import direction", () => {
  const target = { "src/session/session.ts": "export const session = 1;\n" };

  test.each([
    ["a static import", 'import { session } from "../session/session.js";\n'],
    ["an import over several lines", 'import {\n  session,\n} from "../session/session.js";\n'],
    ["an import for its effect", 'import "../session/session.js";\n'],
    ["a type import", 'import type { Session } from "../session/session.js";\n'],
    ["a type import within a type", 'type Session = import("../session/session.js").Session;\n'],
    ["a dynamic import", "const session = await import('../session/session.js');\n"],
    ["a dynamic import of a template", "const session = await import(`../session/session.js`);\n"],
    ["a re-export", 'export { session } from "../session/session.js";\n'],
  ])("refuses %s from a later folder", (_, text) => {
    expect(rulesBroken({ ...target, "src/wire/openai.ts": text })).toEqual(["layer"]);
  });

  test("names file and target", () => {
    const files = new Map([...Object.entries(target), ["src/errors.ts", 'import "./session/session.js";\n']]);
    expect(checkArchitecture(files as Map<string, string>)).toEqual([
      { rule: "layer", file: "src/errors.ts", detail: "imports src/session/session.ts" },
    ]);
  });

  test("allows the own folder, earlier folders, packages, and the entry everything", () => {
    expect(
      rulesBroken({
        ...target,
        "src/errors.ts": "export const error = 1;\n",
        "src/wire/openai.ts": 'import "./text.js";\nimport "../errors.js";\nimport "zod";\n',
        "src/wire/text.ts": "export const text = 1;\n",
        "src/index.ts": 'export { session } from "./session/session.js";\nimport "./testing/store.js";\n',
        "src/testing/store.ts": 'import "../session/session.js";\n',
        "src/gateway/server.ts": 'import { session } from "../session/session.js";\n',
      }),
    ).toEqual([]);
  });

  test("ignores imports in comments, strings, templates and regular expressions", () => {
    const text = [
      '// import "../session/session.js";',
      '/** import { session } from "../session/session.js"; */',
      `const quoted = 'import "../session/session.js"';`,
      `const template = \`import "../session/session.js" \${1} from "../session/session.js"\`;`,
      `const pattern = /["'\`]/; // import("../session/session.js")`,
      "const half = quoted.length / 2; const other = 'x';",
    ];
    expect(rulesBroken({ ...target, "src/wire/openai.ts": `${text.join("\n")}\n` })).toEqual([]);
  });

  test("finds an import that stands after a quote in a regular expression", () => {
    const text = `const pattern = /[/"]'/;\nconst inner = \`\${{ a: 1 }.a}\`;\nimport "../session/session.js";\n`;
    expect(rulesBroken({ ...target, "src/wire/openai.ts": text })).toEqual(["layer"]);
  });

  test("keeps the command line to itself, even from the entry and from testing", () => {
    const cli = { "src/cli/main.ts": 'import "./demo.js";\n', "src/cli/demo.ts": "export const demo = 1;\n" };
    expect(rulesBroken(cli)).toEqual([]);
    expect(rulesBroken({ ...cli, "src/index.ts": 'import "./cli/main.js";\n' })).toEqual(["cli"]);
    expect(rulesBroken({ ...cli, "src/testing/run.ts": 'import "../cli/main.js";\n' })).toEqual(["cli"]);
  });

  test("lets only the faces import the entry", () => {
    const entry = { "src/index.ts": "export const version = 1;\n" };
    expect(rulesBroken({ ...entry, "src/cli/main.ts": 'import "../index.js";\n' })).toEqual([]);
    expect(rulesBroken({ ...entry, "src/session/session.ts": 'import "../index.js";\n' })).toEqual(["layer"]);
  });

  test("lets tests use the conformance suites, and nothing else from a later folder", () => {
    const suite = { ...target, "src/testing/store.ts": "export const suite = 1;\n" };
    expect(rulesBroken({ ...suite, "src/store/a.test.ts": 'import "../testing/store.js";\n' })).toEqual([]);
    expect(rulesBroken({ ...suite, "src/store/a.ts": 'import "../testing/store.js";\n' })).toEqual(["layer"]);
    expect(rulesBroken({ ...suite, "src/store/a.test.ts": 'import "../session/session.js";\n' })).toEqual(["layer"]);
  });

  test("refuses what is shipped to leave the source folder", () => {
    const support = {
      "test/support/session/a.ts": "export const a = 1;\n",
      "test/session/b.ts": "export const b = 1;\n",
    };
    expect(rulesBroken({ ...support, "src/store/a.test.ts": 'import "../../test/support/session/a.js";\n' })).toEqual(
      [],
    );
    expect(rulesBroken({ ...support, "src/cli/a.ts": 'import "../../test/support/session/a.js";\n' })).toEqual([
      "layer",
    ]);
    expect(rulesBroken({ ...support, "src/cli/a.ts": 'import "../../test/session/b.js";\n' })).toEqual(["layer"]);
    expect(rulesBroken({ ...support, "src/index.ts": 'import "../test/session/b.js";\n' })).toEqual(["layer"]);
  });

  test("refuses what is shipped to import what is not", () => {
    const helper = { "src/wire/openai.test-helpers.ts": "export const sample = 1;\n" };
    expect(rulesBroken({ ...helper, "src/wire/a.ts": 'import "./openai.test-helpers.js";\n' })).toEqual([
      "test-import",
    ]);
    expect(rulesBroken({ ...helper, "src/wire/a.test.ts": 'import "./openai.test-helpers.js";\n' })).toEqual([]);
  });

  test("knows the files beside the folders, with their tests", () => {
    const errors = { "src/errors.ts": "export const error = 1;\n", "src/errors.test.ts": 'import "./errors.js";\n' };
    expect(rulesBroken(errors)).toEqual([]);
  });

  test("refuses a folder that the layout does not know", () => {
    expect(rulesBroken({ "src/utils/text.ts": "export const a = 1;\n" })).toEqual(["folder"]);
  });
});

describe("cycles", () => {
  test("refuses files that import each other, by type too", () => {
    const files = new Map([
      ["src/wire/a.ts", 'import { b } from "./b.js";\n'],
      ["src/wire/b.ts", 'import { c } from "./c.js";\n'],
      ["src/wire/c.ts", 'import type { A } from "./a.js";\n'],
    ]);
    expect(checkArchitecture(files)).toEqual([
      { rule: "cycle", file: "src/wire/a.ts", detail: "src/wire/a.ts → src/wire/b.ts → src/wire/c.ts → src/wire/a.ts" },
    ]);
  });

  test("allows two ways to one file", () => {
    expect(
      rulesBroken({
        "src/wire/a.ts": 'import "./b.js";\nimport "./c.js";\n',
        "src/wire/b.ts": 'import "./d.js";\n',
        "src/wire/c.ts": 'import "./d.js";\n',
        "src/wire/d.ts": "export const d = 1;\n",
      }),
    ).toEqual([]);
  });
});

describe("the pure half", () => {
  test("refuses Node below session, by either name", () => {
    expect(rulesBroken({ "src/tokens/a.ts": 'import { readFileSync } from "node:fs";\n' })).toEqual(["node"]);
    expect(rulesBroken({ "src/memory/a.ts": 'import { readFileSync } from "fs";\n' })).toEqual(["node"]);
  });

  test("allows Node in drivers, in tests and from session on", () => {
    const text = 'import { readFileSync } from "node:fs";\n';
    const paths = ["src/store/drivers/file.ts", "src/wire/a.test.ts", "src/session/a.ts", "src/cli/main.ts"];
    expect(rulesBroken(Object.fromEntries(paths.map((path) => [path, text])))).toEqual([]);
  });

  test.each([
    "Date.now()",
    "new Date()",
    "Math.random()",
    "performance.now()",
    "crypto.randomUUID()",
    'fetch("http://localhost")',
  ])("refuses %s", (call) => {
    expect(rulesBroken({ "src/compaction/a.ts": `export const a = () => ${call};\n` })).toEqual(["impure"]);
  });

  test("allows a clock in sessions and in tests, and a date that was given", () => {
    expect(
      rulesBroken({
        "src/session/a.ts": "export const now = () => Date.now();\n",
        "src/compaction/a.test.ts": "const now = Date.now();\n",
        "src/compaction/a.ts": "export const day = (time: number) => new Date(time); // not Date.now()\n",
      }),
    ).toEqual([]);
  });
});

describe("exports, names and sizes", () => {
  test.each([
    ["export-star", 'export * from "./b.js";\n'],
    ["export-star", 'export type * from "./b.js";\n'],
    ["export-star", 'export * as all from "./b.js";\n'],
    ["default-export", "export default 1;\n"],
    ["default-export", "const a = 1;\nexport { a as default };\n"],
  ])("refuses %s: %s", (rule, text) => {
    expect(rulesBroken({ "src/wire/a.ts": text })).toEqual([rule]);
  });

  test("leaves the other folders their exports", () => {
    expect(rulesBroken({ "bench/config.mjs": "export default 1;\n" })).toEqual([]);
  });

  test.each(["src/wire/openAI.ts", "src/wire/open_ai.ts", "test/Support/a.ts", "scripts/a-.mjs"])(
    "refuses %s",
    (path) => {
      expect(rulesBroken({ [path]: "export const a = 1;\n" })).toEqual(["name"]);
    },
  );

  test.each(["src/wire/a.ts", "test/a.test.ts", "bench/a.bench.mjs", "scripts/a.mjs"])(
    "refuses 501 lines in %s",
    (path) => {
      expect(rulesBroken({ [path]: "\n".repeat(500) })).toEqual([]);
      expect(rulesBroken({ [path]: "\n".repeat(501) })).toEqual(["lines"]);
    },
  );
});
