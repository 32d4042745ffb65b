import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i)).join("\n");
const cc = (i: number) => `cc -O2 -Wall -Wextra -Iinclude -c -o build/f${i}.o src/f${i}.c`;

/** Where one line of output matters among many that do not. */
const CASES: readonly {
  readonly name: string;
  readonly maxTokens: number;
  readonly source: string;
  readonly kept: readonly string[];
}[] = [
  {
    name: "gcc, 2000 files",
    maxTokens: 256,
    source: `${rows(1_400, cc)}
src/net.c:88:14: error: incompatible types when assigning to type 'struct sockaddr_in' from type 'int'
${rows(600, cc)}
make: *** [Makefile:12: build/net.o] Error 1`,
    kept: [
      "src/net.c:88:14: error: incompatible types when assigning to type 'struct sockaddr_in' from type 'int'",
      "make: *** [Makefile:12: build/net.o] Error 1",
    ],
  },
  {
    name: "gcc, with what it suggests",
    maxTokens: 300,
    source: `${rows(200, cc)}
src/net.c:88:5: error: 'struct conn' has no member named 'fdd'; did you mean 'fd'?
   88 |   c->fdd = fd;
      |      ^~~`,
    kept: ["error: 'struct conn' has no member named 'fdd'; did you mean 'fd'?"],
  },
  {
    name: "dotnet build",
    maxTokens: 150,
    source: `  Determining projects to restore...
${rows(40, (i) => `  Restored /repo/src/Lib${i}/Lib${i}.csproj (in ${i * 13} ms).`)}
${rows(40, (i) => `  Lib${i} -> /repo/src/Lib${i}/bin/Debug/net8.0/Lib${i}.dll`)}
/repo/src/Program.cs(14,13): error CS0103: The name 'foo' does not exist in the current context [/repo/App.csproj]

Build FAILED.
    0 Warning(s)
    1 Error(s)`,
    kept: ["error CS0103: The name 'foo' does not exist in the current context [/repo/App.csproj]", "Build FAILED."],
  },
  {
    name: "a container build on a terminal",
    maxTokens: 200,
    source: `[+] Building 42.1s (9/12)
${rows(200, (i) => ` => => extracting sha256:ab${i}cd${i}ef  0.${i}s`)}
 => ERROR [5/6] RUN npm run build  8.2s
7.91 src/server.ts(31,17): error TS2345: Argument of type 'string | undefined' is not assignable to parameter of type 'string'.
ERROR: failed to solve: process "/bin/sh -c npm run build" did not complete successfully: exit code: 2`,
    kept: [
      "error TS2345: Argument of type 'string | undefined' is not assignable to parameter of type 'string'.",
      "ERROR: failed to solve",
    ],
  },
  {
    name: "cargo build",
    maxTokens: 250,
    source: `${rows(200, (i) => `   Compiling dep-${i} v1.${i}.0`)}
warning: unused import: \`std::fmt\`
  --> src/lib.rs:3:5
   |
3  | use std::fmt;
   |     ^^^^^^^^
   |
   = note: \`#[warn(unused_imports)]\` on by default

error[E0382]: borrow of moved value: \`config\`
  --> src/main.rs:42:20
   |
38 |     let config = load();
   |         ------ move occurs because \`config\` has type \`Config\`, which does not implement the \`Copy\` trait
40 |     start(config);
   |           ------ value moved here
42 |     println!("{}", config.name);
   |                    ^^^^^^^^^^^ value borrowed here after move

For more information about this error, try \`rustc --explain E0382\`.
warning: \`app\` (bin "app") generated 1 warning
error: could not compile \`app\` (bin "app") due to 1 previous error; 1 warning emitted`,
    kept: [
      "error[E0382]: borrow of moved value: `config`",
      'error: could not compile `app` (bin "app") due to 1 previous error; 1 warning emitted',
    ],
  },
  {
    name: "a text of no known form",
    maxTokens: 128,
    source: `${rows(60, (i) => `${"abcdefghij"[i % 10]!.repeat(1 + (i % 7))} ${i * 7} ~`)}
src/server.ts(31,17): error TS2345: Argument of type 'string | undefined' is not assignable to parameter of type 'string'.`,
    kept: ["Argument of type 'string | undefined' is not assignable to parameter of type 'string'."],
  },
];

const routine = (text: string, kept: readonly string[]) =>
  text.split("\n").filter((line) => /^\d+: /.test(line) && !kept.some((part) => line.includes(part)));

describe("the output of a build", () => {
  it.each(CASES)("$name: errors whole", ({ source, maxTokens, kept }) => {
    const { text } = reduceObservation(source, { maxTokens });
    for (const part of kept) expect(text).toContain(part);
  });

  it("knows a build by its routine lines, however rare the others are", () => {
    const complaint =
      "src/net.c: In function 'net_open':\nsrc/net.c:88:14: error: incompatible types\n   88 |   c->addr = fd;";
    const { text } = reduceObservation(`${rows(1_433, cc)}\n${complaint}\n${rows(1_001, cc)}`, { maxTokens: 256 });
    complaint.split("\n").forEach((line, i) => {
      expect(text).toContain(`${1_434 + i}: ${line}`);
    });
    expect(text).toContain("1 ×2434: cc");
  });

  it("shows errors with all of their words before it repeats a kind of line", () => {
    const error = `lib/a.c:3:1: error: ${"conflicting types for the same name in two places; ".repeat(4)}see above`;
    for (const maxTokens of [130, 160, 200]) {
      const { text } = reduceObservation(`${rows(300, cc)}\n${error}\n${rows(300, cc)}`, { maxTokens });
      if (routine(text, [error]).length > 0) expect(text).toContain(error);
    }
    expect(reduceObservation(`${rows(300, cc)}\n${error}`, { maxTokens: 200 }).text).toContain(error);
  });

  it("ends with an error that is whole", () => {
    const error = `error: linking failed: ${"object file number five is missing a symbol; ".repeat(7)}giving up`;
    const pick = (i: number) => String.fromCharCode(97 + (i % 26)).repeat(1 + (i % 5));
    const noise = rows(
      900,
      (i) => `12:00:01 ${pick(i)} ${pick(i * 7)} ${pick(Math.floor(i / 50))} step done as planned before`,
    );
    const { text, kind } = reduceObservation(`${noise}\n${error}`, { maxTokens: 400 });
    expect(kind).toBe("log");
    expect(text).toContain(error);
  });

  it("keeps the errors of a container build whose lines are numbered by step", () => {
    const fetched = (i: number) =>
      `#5 ${(0.4 + i / 20).toFixed(3)} Get:${i} http://deb.test/debian main lib${i} [${i} kB]`;
    const errors = [
      "#9 1.204 npm error code ERESOLVE",
      "#9 1.205 npm error ERESOLVE unable to resolve dependency tree",
      "#9 1.207 npm error Found: react@19.0.0",
      '#9 1.208 npm error peer react@"^18" from react-dom@18.2.0',
      '#9 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
    ];
    const source = `#1 [internal] load build definition from Dockerfile
#1 DONE 0.0s

#5 [2/6] RUN apt-get update && apt-get install -y build-essential
${rows(150, fetched)}
#5 DONE 20.1s

#9 [5/6] RUN npm ci
${errors.join("\n")}
------
Dockerfile:9
--------------------
   8 |     COPY package*.json ./
   9 | >>> RUN npm ci
--------------------`;
    const { text, kind } = reduceObservation(source, { maxTokens: 250 });
    expect(kind).toBe("log");
    for (const error of errors) expect(text).toContain(error);
  });

  it("shows the complaints of a linter below their file, without a mark for every line", () => {
    const file = (i: number) => `
/repo/src/file${i}.ts
  ${i + 3}:5  ${i % 7 === 3 ? "error  " : "warning"}  'value${i}' is never used  no-unused-vars
  ${i + 9}:1  warning  Unexpected any  no-explicit-any`;
    const source = `${rows(40, file)}\n\n✖ 80 problems (6 errors, 74 warnings)\n`;
    const { text, kind } = reduceObservation(source, { maxTokens: 512 });
    expect(kind).toBe("compiler");
    expect(text).toContain("✖ 80 problems (6 errors, 74 warnings)");
    expect(text).not.toMatch(/file\d+\.ts\n\.\.\. \(/);
    expect(text).not.toMatch(/\) \.\.\.\n {2}\d+:\d/);
    for (let i = 3; i < 40; i += 7) expect(text).toMatch(new RegExp(`file${i}\\.ts\\n  ${i + 3}:5  error`));
  });

  it("shows errors of the compiler before each level of make says that it failed", () => {
    const failed = (i: number) =>
      `make[${1 + (i % 2)}]: *** [CMakeFiles/Makefile${i}:85: CMakeFiles/a${i}.dir/all] Error 2`;
    const error = (i: number) =>
      `/repo/src/a${i}.c:${i + 3}:64: error: ${["no member", "too few", "expected ';'"][((i + 1) / 3) % 3]} ${i}`;
    const source = `${rows(30, (i) => `${rows(2, cc)}\n${i % 3 === 2 ? error(i) : cc(i)}\n${failed(i)}`)}
make: *** [Makefile:91: all] Error 2
make: Target 'all' not remade because of errors.`;
    const { text, kind } = reduceObservation(source, { maxTokens: 256 });
    expect(kind).toBe("compiler");
    for (const i of [2, 5, 8]) expect(text).toContain(error(i));
    expect(text).toContain("make: *** [Makefile:91: all] Error 2");
    expect(text).not.toContain("make[");
  });

  it("shows each rule that a linter finds broken, with its place, where a complaint takes a block", () => {
    const dashes = "━".repeat(30);
    const block = (i: number) => {
      const [rule, sign] = (["noDebugger ×", "noUnused !", "noEval ×"][i % 3] ?? "").split(" ");
      return `src/b${i}.js:1:${i} lint/group/${rule}  FIXABLE  ${dashes}

  ${sign} Rule ${rule} says that this is wrong.

  > 1 │ const value${i} = 1;
      │       ^^^
    2 │ 

  i Some more advice on how to mend what is wrong here.
`;
    };
    const source = `${rows(60, block)}\nChecked 60 files in 20ms.\nFound 40 errors.\nFound 20 warnings.`;
    const { text, kind } = reduceObservation(source, { maxTokens: 700 });
    expect(kind).toBe("compiler");
    for (const [i, rule] of ["noDebugger", "noUnused", "noEval"].entries())
      expect(text).toMatch(new RegExp(`src/b${i}\\.js:1:${i} lint/group/${rule} .*\\n\\n {2}[×!] Rule ${rule} says`));
    expect(text).toContain("Found 40 errors.");
    const headings = text.match(/^src\/b\d+\.js.*\n\n {2}[×!] Rule/gm) ?? [];
    expect(headings.length).toBeGreaterThan(10);
    expect(text.match(/^src\/b\d+\.js/gm)?.length).toBe(headings.length);
  });

  it("shows errors before warnings that are told as annotations, each rule first", () => {
    const note = (i: number) =>
      `::${i % 30 === 29 ? "error" : "warning"} title=lint/rule${i % 30},file=/repo/src/b${i}.js,line=1,col=${i}::Text of rule ${i % 30}.`;
    const { text, kind } = reduceObservation(rows(120, note), { maxTokens: 400 });
    expect(kind).toBe("compiler");
    for (const i of [29, 59, 89, 119]) expect(text).toContain(note(i));
    expect(text).toContain(note(1));
    expect(text).not.toContain(note(31));
  });
});
