import { CLOCK, DIFF, IDEMPOTENCY, MANUAL_CLOCK, NEW_SCHEDULER } from "./fixes.js";
import { matches, serviceLog, testRun } from "./outputs.js";
import { SOURCES } from "./sources.js";
import { edit, read, run, search, type Transcript, write } from "./transcript.js";

const POLICY = "src/retry/retry-policy.ts";
const SCHEDULER = "src/retry/scheduler.ts";
const TIMED_OUT = {
  name: "retries a declined charge at most three times",
  error: "Error: Test timed out in 5000ms.\nIf this is a long-running test, pass a timeout value as the last argument.",
};

/** The agent writes the fix. */
export function writeTheFix(transcript: Transcript): void {
  transcript
    .user(
      "Store the key with the attempt number appended in that column, the provider gets the plain key. And two constraints: the public API of RetryPolicy stays as it is, and amounts stay in minor units everywhere.",
    )
    .act(
      "Understood: provider gets the plain key, the column gets key and attempt. First the clock and the key.",
      write("src/retry/clock.ts", CLOCK),
      write("src/retry/idempotency.ts", IDEMPOTENCY),
      write("test/manual-clock.ts", MANUAL_CLOCK),
    )
    .act(
      null,
      edit(
        POLICY,
        "export function delayFor(policy: RetryPolicy, attempt: number): number {",
        "export function delayFor(policy: RetryPolicy, attempt: number, clock: Clock = systemClock): number {",
      ),
      edit(POLICY, "(Math.random() - 0.5) * policy.jitter", "(clock.chance() - 0.5) * policy.jitter"),
    )
    .act(
      "Now the scheduler, as a whole: nearly every line of it changes.",
      edit(SCHEDULER, SOURCES[SCHEDULER] ?? "", NEW_SCHEDULER),
    )
    .act(
      null,
      run(
        "npx tsc --noEmit",
        "src/retry/retry-policy.ts(12,74): error TS2304: Cannot find name 'Clock'.\nsrc/retry/retry-policy.ts(12,82): error TS2304: Cannot find name 'systemClock'.\nsrc/reports/reports-store.ts(31,40): error TS2554: Expected 3 arguments, but got 2.\nFound 3 errors in 2 files.\n",
      ),
    )
    .act(null, read(POLICY), read("package.json"), search("reports.*record\\(", matches("ledger.record", 5)))
    .act(
      null,
      edit(
        POLICY,
        "export interface RetryPolicy {",
        'import { type Clock, systemClock } from "./clock.js";\n\nexport interface RetryPolicy {',
      ),
      run(
        "npx tsc --noEmit",
        "src/reports/reports-store.ts(31,40): error TS2554: Expected 3 arguments, but got 2.\nFound 1 error.\n",
      ),
    )
    .act(
      "That last one is not mine: it is on main as well.",
      run(
        "git stash -q && npx tsc --noEmit; git stash pop -q",
        "src/reports/reports-store.ts(31,40): error TS2554: Expected 3 arguments, but got 2.\nFound 1 error.\n",
      ),
    )
    .act(
      "Now the tests: a manual clock in the flaky one, and the skipped one runs again.",
      edit(
        "src/retry/scheduler.test.ts",
        "    const scheduler = new RetryScheduler(gateway, ledger, policy);",
        "    const clock = new ManualClock();\n    const scheduler = new RetryScheduler(gateway, ledger, policy, clock);",
      ),
      edit("src/retry/scheduler.test.ts", "  // Flaky, see #231.\n  it.skip(", "  it("),
      run("npx vitest run --reporter verbose", testRun({ passed: 96, failures: [TIMED_OUT], seed: 21 })),
    )
    .act(
      "One left, and it is mine: the test has a manual clock now and nobody moves it.",
      read("src/retry/scheduler.test.ts", 30, 41),
      read("test/fake-gateway.ts", 11, 21),
    )
    .act(
      null,
      edit(
        "src/retry/scheduler.test.ts",
        "    scheduler.submit(order);\n    await scheduler.drain();\n    expect(gateway.charges).toHaveLength(3);",
        "    scheduler.submit(order);\n    await clock.advance(1_000);\n    await scheduler.drain();\n    expect(gateway.charges).toHaveLength(3);",
      ),
      run("npx vitest run src/retry", testRun({ passed: 12, seed: 2 })),
    )
    .act(
      null,
      run("git diff", DIFF),
      run(
        "git status --short",
        " M src/retry/retry-policy.ts\n M src/retry/scheduler.ts\n M src/retry/scheduler.test.ts\n?? src/retry/clock.ts\n?? src/retry/idempotency.ts\n?? test/manual-clock.ts\n",
      ),
    )
    .say(
      "The retry tests pass and do not depend on real time any more. Next I will run the whole suite and the end-to-end checks, and start the pipeline.",
    );
}

/** The user stops a slow run; the pipeline answers long after the conversation went on. */
export function interrupt(transcript: Transcript): void {
  transcript.act(
    "Running the end-to-end suite here, and the pipeline beside it.",
    run("npx vitest run --reporter verbose", testRun({ passed: 70, seed: 31 })),
    run("npm run test:e2e -- --all-shops", undefined),
    { tool: "start_pipeline", input: { branch: "fix/retry-keys", jobs: ["test", "e2e", "lint"] }, output: undefined },
  );
  const pipeline = transcript.latestCall;
  transcript
    .user(
      "Stop, the e2e suite takes twenty minutes here and blocks my machine. Leave it to the pipeline. Meanwhile: does any other code rely on the old key format?",
    )
    .act(
      "Stopped. I will look for the old format.",
      search("[0-9a-f]{8}-[0-9a-f]{4}", matches("parseKey", 7)),
      search(
        "key.split",
        "src/reports/reports-mapper.ts:22:  const [, attempt] = key.split('#');\nsrc/refunds/refunds-handler.ts:58:  const parts = key.split('-');",
      ),
      read("docs/runbook.md"),
    )
    .act(
      "`refunds-handler.ts` splits the key at hyphens, which the new keys do not have.",
      run(
        "sed -n '45,75p' src/refunds/refunds-handler.ts",
        "  // The first group of the key names the shard.\n  const parts = key.split('-');\n  const shard = Number.parseInt(parts[0] ?? '0', 16) % SHARDS;\n  return this.shards[shard]!.refund(order, amount);\n",
      ),
    )
    .result(
      pipeline,
      `pipeline 8841 on fix/retry-keys: lint passed, test passed, e2e failed\n${serviceLog(24, 5)}\nFAIL e2e/refunds.spec.ts: expected shard 3, got shard 0\n`,
    )
    .act(
      "The pipeline found the same place: shard 0 for every order. Thirty-two hex digits as one number lose their last ones, so the shard has to come from the first eight.",
      edit(
        "src/refunds/refunds-handler.ts",
        "const parts = key.split('-');\n  const shard = Number.parseInt(parts[0] ?? '0', 16) % SHARDS;",
        "const shard = Number.parseInt(key.slice(0, 8), 16) % SHARDS;",
      ),
      run("npx vitest run src/refunds", testRun({ passed: 18, seed: 6 })),
      run(
        "npx tsc --noEmit",
        "src/reports/reports-store.ts(31,40): error TS2554: Expected 3 arguments, but got 2.\nFound 1 error.\n",
      ),
    )
    .say("Old keys start with eight hex digits too, so both formats land on the same shard. No data has to move.");
}
