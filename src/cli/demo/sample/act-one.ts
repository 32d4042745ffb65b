import { chargesJson, listing, matches, serviceLog, testRun } from "./outputs.js";
import { read, run, search, type Transcript } from "./transcript.js";

const FLAKY = {
  name: "retries a declined charge at most three times",
  error: `AssertionError: expected [ { …(2) }, { …(2) }, …(2) ] to have a length of 3 but got 4

- Expected
+ Received

- 3
+ 4`,
};

/** The agent looks around and makes the failure show itself. */
export function lookAround(transcript: Transcript): void {
  transcript
    .user(
      "The payment retry tests are flaky: about one run in eight fails in CI, and on Saturday night two customers were charged twice. Please find the cause and fix it. Never touch the migrations, they are applied in production.",
    )
    .act(
      "I will look at the layout and the retry code first, and leave the migrations alone.",
      run("git ls-files | head -60", listing()),
      read("package.json"),
      read("src/retry/scheduler.ts"),
      read("src/retry/retry-policy.ts"),
      read("src/gateway/gateway.ts"),
      search(
        "setTimeout",
        "src/retry/scheduler.ts:51:    job.timer = setTimeout(() => void this.attempt(job), delay);\nsrc/retry/scheduler.ts:62:    while (this.jobs.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));",
      ),
    )
    .act(
      "Now the test and the stand-in for the gateway.",
      read("src/retry/scheduler.test.ts"),
      read("test/fake-gateway.ts"),
    )
    .act(null, run("npx vitest run src/retry", testRun({ passed: 3, seed: 4 })))
    .act(
      "Green this time. I will run it twenty times and keep the failures.",
      run(
        "for i in $(seq 20); do npx vitest run src/retry --reporter verbose || true; done",
        testRun({ passed: 60, failures: [FLAKY, FLAKY, FLAKY], seed: 9 }),
      ),
    )
    .act(
      "Three failures in twenty runs, each with four charges where there should be three. And the test about timeouts is skipped. Who else calls the scheduler?",
      search("submit\\(", matches("scheduler.submit", 9)),
      search(
        "randomUUID",
        'src/retry/scheduler.ts:1:import { randomUUID } from "node:crypto";\nsrc/retry/scheduler.ts:32:    const key = randomUUID();\nsrc/auth/session.ts:18:  return { id: randomUUID(), user };',
      ),
      search(
        "maxAttempts",
        "src/retry/retry-policy.ts:3:  maxAttempts: number;\nsrc/retry/retry-policy.ts:10:export const DEFAULT_POLICY: RetryPolicy = { maxAttempts: 3, …\nsrc/retry/retry-policy.ts:20:  for (let attempt = 1; attempt < policy.maxAttempts; attempt++) total += …",
      ),
    )
    .say(
      "Two suspicions so far:\n\n1. The scheduler stops by time, not by count: it goes on until `patience()` is over. Jitter can make three attempts quicker than that, and then a fourth charge goes out.\n2. Each attempt takes a new idempotency key. After a timeout the provider cannot know that it is the same charge.\n\nThe second one would explain the double charges. I would like to confirm it in the log of Saturday night.",
    );
}

/** The agent follows the money: log, provider, history of the code. */
export function followTheMoney(transcript: Transcript): void {
  transcript
    .user("Go ahead. The log is in var/saturday.log, and you may query the sandbox of the provider. Read only, please.")
    .act(
      null,
      run("wc -l var/saturday.log && grep -c 'double settlement' var/saturday.log", "4812 var/saturday.log\n241\n"),
      run("sed -n '1200,1290p' var/saturday.log", serviceLog(90, 3)),
    )
    .act(
      "Every double settlement comes right after a timeout of about 4,000 ms. I will check the provider's side for the same orders.",
      {
        tool: "http_get",
        input: { url: "https://sandbox.provider.test/v1/charges?limit=36&created.gte=1773454200" },
        output: chargesJson(36),
      },
    )
    .act(
      "The keys differ between the two charges of one order. When did that start?",
      run(
        "git log --oneline -8 -- src/retry",
        "9c1f2ab Log how long a charge took\n41d07fe Use randomUUID instead of nanoid\nb5e6c90 Key by attempt (#212)\n7730d1c Retry scheduler\n",
      ),
      run(
        "git show b5e6c90 --stat",
        "commit b5e6c90\nAuthor: Renée Ünal <renee@kassa.example>\n\n    Key by attempt (#212)\n\n    A declined charge was answered with the same decline for 24 hours.\n\n src/retry/scheduler.ts | 4 ++--\n 1 file changed, 2 insertions(+), 2 deletions(-)\n",
      ),
      read("docs/runbook.md"),
      read("src/gateway/gateway.ts"),
    )
    .act(
      "So #212 had a reason: behind a decline the key must change. Behind a timeout it must not. I will look at the constraint in the schema, only to read it.",
      read("migrations/0042_charge_attempts.sql"),
      search("charge_attempts", matches("insertAttempt", 6)),
    )
    .act(null, run("grep -n 'TimeoutError' var/saturday.log | tail -70", serviceLog(70, 11)))
    .act(
      "One more check: does anything else write with a key of its own?",
      search("idempotency", matches("withIdempotency", 14)),
      search(
        "AbortSignal.timeout",
        "src/gateway/gateway.ts:29:      signal: AbortSignal.timeout(this.timeoutMs),\nsrc/webhooks/deliver.ts:41:    signal: AbortSignal.timeout(2_000),",
      ),
      read("src/gateway/gateway.ts", 17, 36),
    )
    .say(
      "Confirmed. The cause has three parts:\n\n- **Key:** a new key for each attempt, so a charge that timed out and went through is made again.\n- **Count:** retries end by time, so there can be four charges.\n- **Chance:** tests depend on real timers and `Math.random`, so they show it one time in eight; the test that would show the first is skipped.\n\nPlan: a key from order, amount, currency and the number of declines; an end by count; a clock that comes in from outside. The schema has `UNIQUE (idempotency)` per attempt row, so two attempts with one key would clash. How should I handle that without a migration?",
    );
}
