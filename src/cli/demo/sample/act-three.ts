import { DIFF, PROPERTY_TEST } from "./fixes.js";
import { chargesJson, coverage, matches, serviceLog, testRun } from "./outputs.js";
import { edit, read, run, search, type Transcript, write } from "./transcript.js";

const SHOPS = ["Zürich", "東京", "São Paulo", "Lyon", "Kraków", "Αθήνα"];

/** The agent makes sure that it stays fixed. */
export function harden(transcript: Transcript): void {
  transcript
    .user(
      "Good catch. Please add a property test that no sequence of answers can settle more than the amount, and check the currencies without minor units: 東京 reported ¥50,000 where ¥500 was meant 😬",
    )
    .act(
      null,
      write("src/retry/scheduler.property.test.ts", PROPERTY_TEST),
      search(
        "JPY|KRW",
        "src/currency/currency-mapper.ts:14:const ZERO_DECIMAL = ['JPY'];\nsrc/reports/reports-mapper.ts:40:  return amount / 100;",
      ),
      run("npx vitest run src/currency --reporter verbose", testRun({ passed: 40, seed: 14 })),
    )
    .act(
      "The property fails after 14 runs, with a decline behind a timeout.",
      run(
        "npx vitest run src/retry/scheduler.property.test.ts",
        'Property failed after 14 tests\n{ seed: -1178302, path: "13:2:1", endOnFailure: true }\nCounterexample: [{"orderId":"ø","amount":1,"currency":"JPY","customer":""},["timeout-but-charged","declined","succeeded"]]\nShrunk 6 time(s)\nAssertionError: expected [ +0, 1 ] to include 2\n',
      ),
      read("test/fake-gateway.ts"),
      read("src/retry/retry-policy.ts"),
    )
    .act(
      "The scheduler is right, the stand-in is wrong: it declines a key that it has already charged, where the provider would return that charge. I will make it do so too.",
      edit(
        "test/fake-gateway.ts",
        "    this.charges.push({ request, key: idempotencyKey });",
        '    const made = this.settled.has(idempotencyKey);\n    this.charges.push({ request, key: idempotencyKey });\n    if (made) return { status: "succeeded", chargeId: "ch_" + idempotencyKey.slice(0, 6) };',
      ),
      run("npx vitest run src/retry/scheduler.property.test.ts", testRun({ passed: 1, seed: 3 })),
    )
    .act(
      "Now the reports: `amount / 100` is wrong for ¥.",
      run(
        "sed -n '30,52p' src/reports/reports-mapper.ts",
        "export function display(amount: number, currency: string): string {\n  return amount / 100 + ' ' + currency;\n}\n",
      ),
      search("display\\(", matches("display", 11)),
    )
    .act(
      null,
      edit(
        "src/reports/reports-mapper.ts",
        "  return amount / 100 + ' ' + currency;",
        "  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;\n  return (amount / 10 ** digits).toFixed(digits) + ' ' + currency;",
      ),
      run("npx vitest run src/reports src/currency --reporter verbose", testRun({ passed: 64, seed: 17 })),
    );
  checkShops(transcript);
}

/** One round for each shop: its charges, its log, its settings. */
function checkShops(transcript: Transcript): void {
  for (const [at, shop] of SHOPS.entries()) {
    transcript
      .act(
        at === 0 ? "I will replay Saturday night for each shop against the sandbox, one by one." : `${shop} next.`,
        run(
          `npm run --silent replay -- --shop '${shop}' --night 2026-03-14`,
          `${serviceLog(14 + at * 6, 40 + at)}\nreplayed ${120 + at * 37} charges, 0 settled twice\n`,
        ),
        {
          tool: "http_get",
          input: { url: `https://sandbox.provider.test/v1/charges?shop=${encodeURIComponent(shop)}` },
          output: chargesJson(6 + at * 2),
        },
      )
      .act(
        null,
        search(shop, `src/orders/orders-store.ts:${30 + at}:  { city: "${shop}", opens: "0${6 + (at % 3)}:00" },`),
        run(
          `node scripts/totals.mjs '${shop}'`,
          `${shop}: expected ${(at + 3) * 18_240}, settled ${(at + 3) * 18_240}, difference 0\n`,
        ),
      );
  }
  transcript.say(`All six shops (${SHOPS.join(", ")}) replay with no order settled twice, and the totals agree.`);
}

/** The agent leaves the place tidy and says what it did. */
export function finish(transcript: Transcript): void {
  transcript
    .user(
      "Très bien. Update the runbook, look at the coverage of src/retry, and give me a short summary for the incident. Still nothing in migrations/, right?",
    )
    .act(
      "Right: nothing there has changed. I will verify it, not only say it.",
      run("git diff --stat main -- migrations", ""),
      run("npx vitest run --coverage", coverage(5)),
      read("docs/runbook.md"),
      run(
        "git diff --stat main",
        " docs/runbook.md | 6 ++++\n src/refunds/refunds-handler.ts | 3 +-\n src/reports/reports-mapper.ts | 3 +-\n src/retry/clock.ts | 19 ++++\n src/retry/idempotency.ts | 12 +++\n src/retry/retry-policy.ts | 6 +-\n src/retry/scheduler.ts | 71 +++++-----\n 7 files changed, 88 insertions(+), 32 deletions(-)\n",
      ),
    )
    .act(
      null,
      edit(
        "docs/runbook.md",
        "Retries: 3 charges in total, 200 ms, 400 ms, then the order is marked failed.",
        "Retries: 3 charges in total, 200 ms, 400 ms, then the order is marked failed. A retry after a timeout carries the same\nidempotency key, so the provider returns the charge it already made; after a decline the key is a new one.",
      ),
      run("npx biome ci .", "Checked 61 files. No fixes applied.\n"),
    )
    .act(
      "A last run of everything, twenty times over the part that was flaky.",
      run("npx vitest run --reporter verbose", testRun({ passed: 120, seed: 51 })),
      run("for i in $(seq 20); do npx vitest run src/retry; done", testRun({ passed: 48, seed: 52 })),
    )
    .act(null, run("git diff main -- src/retry", DIFF), {
      tool: "start_pipeline",
      input: { branch: "fix/retry-keys", jobs: ["test", "e2e", "lint"] },
      output: "pipeline 8850 on fix/retry-keys: lint passed, test passed, e2e passed\n",
    })
    .say(
      "Done.\n\n**Cause:** every attempt had a new idempotency key, so a charge that timed out but went through was made again; retries ended by time, so jitter could let a fourth charge out; real timers showed it one time in eight.\n\n**Fix:** one key per order until a decline, an end by count, a clock from outside. The shard of a refund and the display of ¥ were wrong beside it and are right now.\n\n**Checked:** 20 runs green, a property test, six shops replayed, pipeline 8850 green. `migrations/` is untouched.",
    );
}
