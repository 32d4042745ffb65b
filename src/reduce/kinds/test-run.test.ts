import { describe, expect, it } from "vitest";
import { reduceObservation } from "../reduce-observation.js";

const NOISE = Array.from({ length: 400 }, (_, i) => `Get:${i} http://deb.example.org/pool/p${i} [${i} kB]`).join("\n");
const passing = (line: (index: number) => string) => Array.from({ length: 300 }, (_, i) => line(i)).join("\n");

interface Run {
  readonly output: string;
  readonly kept: readonly string[];
}

const RUNS: Readonly<Record<string, Run>> = {
  pytest: {
    output: `==== test session starts ====
${passing((i) => `tests/test_a.py::test_ok_${i} PASSED`)}
==== FAILURES ====
____ test_sum ____
    def test_sum():
>       assert add(1, 2) == 4
E       AssertionError: sums differ
E                 deeply indented detail
E       assert 3 == 4

tests/test_a.py:12: AssertionError
==== short test summary info ====
FAILED tests/test_a.py::test_sum - AssertionError: sums differ
==== 1 failed, 300 passed in 0.12s ====`,
    kept: [
      "FAILED tests/test_a.py::test_sum - AssertionError: sums differ",
      "E       AssertionError: sums differ",
      "E                 deeply indented detail",
      "E       assert 3 == 4",
      ">       assert add(1, 2) == 4",
      "tests/test_a.py:12: AssertionError",
      "==== 1 failed, 300 passed in 0.12s ====",
    ],
  },
  jest: {
    output: `${passing((i) => `PASS src/p${i}.test.ts`)}
FAIL src/x.test.ts
  ● math › adds numbers

    expect(received).toBe(expected) // Object.is equality

    Expected: 3
    Received: 4

      at Object.<anonymous> (src/x.test.ts:11:22)

Tests:       1 failed, 300 passed, 301 total`,
    kept: [
      "FAIL src/x.test.ts",
      "● math › adds numbers",
      "Expected: 3",
      "Received: 4",
      "src/x.test.ts:11:22",
      "1 failed, 300 passed",
    ],
  },
  vitest: {
    output: `${passing((i) => ` ✓ src/p${i}.test.ts (1 test) 2ms`)}
 FAIL  src/x.test.ts > math > adds
AssertionError: expected 4 to be 3 // Object.is equality

- Expected
+ Received

 ❯ src/x.test.ts:5:20

 Test Files  1 failed | 300 passed (301)
      Tests  1 failed | 300 passed (301)`,
    kept: [
      "FAIL  src/x.test.ts > math > adds",
      "AssertionError: expected 4 to be 3",
      "❯ src/x.test.ts:5:20",
      "Tests  1 failed",
    ],
  },
  "go test": {
    output: `${passing((i) => `--- PASS: TestOk${i} (0.00s)`)}
=== RUN   TestSum
    sum_test.go:12: got 3, want 4
--- FAIL: TestSum (0.01s)
FAIL	example.com/sum	0.123s`,
    kept: ["--- FAIL: TestSum (0.01s)", "sum_test.go:12: got 3, want 4", "FAIL	example.com/sum"],
  },
  "cargo test": {
    output: `${passing((i) => `test a::t${i} ... ok`)}
test a::sum ... FAILED

failures:

---- a::sum stdout ----
thread 'a::sum' panicked at src/lib.rs:10:9:
assertion \`left == right\` failed
  left: 3
 right: 4

test result: FAILED. 300 passed; 1 failed`,
    kept: ["test a::sum ... FAILED", "panicked at src/lib.rs:10:9", "  left: 3", " right: 4", "test result: FAILED"],
  },
  mocha: {
    output: `${passing((i) => `    ✓ works ${i}`)}

  300 passing (1s)
  1 failing

  1) math
       adds numbers:

      AssertionError [ERR_ASSERTION]: 3 == 4
      at Context.<anonymous> (test/math.js:5:12)`,
    kept: ["1 failing", "1) math", "adds numbers:", "AssertionError [ERR_ASSERTION]: 3 == 4", "test/math.js:5:12"],
  },
  TAP: {
    output: `TAP version 13\n${passing((i) => `ok ${i + 1} - works`)}
not ok 301 - adds numbers
  ---
  message: 'sums differ'
  ...
1..301
# fail 1`,
    kept: ["not ok 301 - adds numbers", "message: 'sums differ'", "# fail 1"],
  },
  maven: {
    output: `${passing((i) => `[INFO] Running com.acme.Ok${i}Test`)}
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in com.acme.SumTest
[ERROR] com.acme.SumTest.adds -- Time elapsed: 0.01 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <4> but was: <3>
	at com.acme.SumTest.adds(SumTest.java:12)
[ERROR]   SumTest.adds:12 expected: <4> but was: <3>
[ERROR] BUILD FAILURE`,
    kept: [
      "com.acme.SumTest.adds --",
      "AssertionFailedError: expected: <4> but was: <3>",
      "SumTest.java:12",
      "SumTest.adds:12 expected",
    ],
  },
  unittest: {
    output: `${passing((i) => `test_ok_${i} (tests.T.test_ok_${i}) ... ok`)}
======================================================================
FAIL: test_sum (tests.T.test_sum)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/app/tests.py", line 9, in test_sum
    self.assertEqual(3, 4)
AssertionError: 3 != 4

Ran 301 tests in 0.003s

FAILED (failures=1)`,
    kept: [
      "FAIL: test_sum",
      'File "/app/tests.py", line 9',
      "AssertionError: 3 != 4",
      "Ran 301 tests",
      "FAILED (failures=1)",
    ],
  },
  rspec: {
    output: `${".".repeat(300)}F\n${NOISE}
Failures:

  1) Math adds numbers
     Failure/Error: expect(add(1, 2)).to eq(4)

       expected: 4
            got: 3

301 examples, 1 failure

rspec ./spec/math_spec.rb:3 # Math adds numbers`,
    kept: [
      "1) Math adds numbers",
      "Failure/Error: expect",
      "expected: 4",
      "got: 3",
      "301 examples, 1 failure",
      "rspec ./spec/math_spec.rb:3",
    ],
  },
  ctest: {
    output: `${passing((i) => `${i}/301 Test #${i}: ok_${i} ........   Passed    0.01 sec`)}
99% tests passed, 1 tests failed out of 301

The following tests FAILED:
	 17 - sum_test (Failed)
Errors while running CTest`,
    kept: ["99% tests passed, 1 tests failed", "17 - sum_test (Failed)"],
  },
};

describe("a test run keeps its verdict, the failing names and their errors", () => {
  it.each(Object.entries(RUNS))("of %s", (_, { output, kept }) => {
    const { text, kind } = reduceObservation(`${NOISE}\n${output}\n${"trailing noise\n".repeat(40)}`, {
      maxTokens: 320,
    });
    expect(kind).toBe("test-run");
    for (const line of kept) expect(text).toContain(line);
  });

  it("names every failing test before it shows any error", () => {
    const failing = Array.from({ length: 12 }, (_, i) => `test_number_${i}`);
    const errors = failing.map((name) => `____ ${name} ____\nE   assert ${name.repeat(4)} == other_${name}\n`).join("");
    const summary = failing.map((name) => `FAILED tests/test_a.py::${name}`).join("\n");
    const { text } = reduceObservation(`${errors}${summary}\n=== 12 failed in 1.00s ===\n`, { maxTokens: 220 });
    for (const name of failing) expect(text).toContain(`::${name}`);
  });

  it.each([
    ["FAILED tests/test_mod.py::TestAll::test_feature_", "=== 300 failed in 3s ==="],
    ["  ● Cart › discount number ", "Tests:       300 failed, 2 passed, 302 total"],
    ["--- FAIL: TestFeatureNumber", "FAILED (failures=300)"],
  ])("says how many failed where they are too many to name: %s", (line, totals) => {
    const names = Array.from({ length: 300 }, (_, i) => `${line}${i} (0.00s)`).join("\n");
    const { text, kind } = reduceObservation(`=== FAILURES ===\n${names}\n${totals}\n`, { maxTokens: 300 });
    expect(kind).toBe("test-run");
    expect(text).toContain(totals);
    expect(text).toContain(`${line}7 `);
  });

  it("shows an error that many tests share once, and others besides", () => {
    const shared = "E   ConnectionError: refused\n".repeat(200);
    const { text } = reduceObservation(`${shared}E   ValueError: the other\n=== 9 failed in 1.00s ===\n`, {
      maxTokens: 160,
    });
    expect(text).toContain("ConnectionError: refused");
    expect(text).toContain("ValueError: the other");
  });

  it("keeps the rest of a line that a narrow terminal has broken", () => {
    const broken = `FAILED tests/test_a.py::test_long - ${"x".repeat(44)}\ntail of the message`;
    const { text } = reduceObservation(`${NOISE.replace(/.{60,}/g, "")}\n${broken}\n${"ok\n".repeat(300)}`, {
      maxTokens: 150,
    });
    expect(text).toContain("tail of the message");
  });

  it("names failing tests once, with their suites, and has room for their errors", () => {
    const names = Array.from({ length: 8 }, (_, i) => i);
    const crosses = names.map((i) => `${passing((j) => `     ✓ passes ${i} ${j}`)}\n     × fails ${i} 9ms`).join("\n");
    const errors = names.map(
      (i) => ` FAIL  src/a.test.ts > suite ${i} > fails ${i}\nTypeError: boom ${i}\n\n ❯ src/a.test.ts:${i}:9\n`,
    );
    const source = `${crosses}\n\n${errors.join("\n")}\n Test Files  1 failed (1)\n      Tests  8 failed | 2400 passed (2408)\n`;
    const { text, kind } = reduceObservation(source, { maxTokens: 360 });
    expect(kind).toBe("test-run");
    for (const i of names)
      expect(text).toContain(` FAIL  src/a.test.ts > suite ${i} > fails ${i}\nTypeError: boom ${i}\n`);
    expect(text.split("× fails").length).toBeLessThan(3);
  });

  it("names failing tests where they are told again with their errors", () => {
    const names = Array.from({ length: 6 }, (_, i) => `fails at ${i} (1.5ms)`);
    const early = names.map((name) => `${passing((j) => `✔ passes ${j} (0.1ms)`)}\n✖ ${name}`).join("\n");
    const late = names.map(
      (name, i) => `test at a.test.mjs:${i}:4\n✖ ${name}\n  TypeError: boom ${i}\n      at x.js:${i}:1\n`,
    );
    const source = `${early}\nℹ tests 1806\nℹ pass 1800\nℹ fail 6\n\n✖ failing tests:\n\n${late.join("\n")}`;
    const { text } = reduceObservation(source, { maxTokens: 340 });
    names.forEach((name, i) => {
      expect(text).toContain(`✖ ${name}\n  TypeError: boom ${i}`);
    });
    expect(text.split("✖ fails").length).toBeLessThan(9);
  });
});
