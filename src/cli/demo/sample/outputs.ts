/** Long tool outputs of the sample session, worked out from a seed so that every run sees the same bytes. */
const AREAS = [
  "retry",
  "gateway",
  "ledger",
  "refunds",
  "webhooks",
  "orders",
  "currency",
  "reports",
  "telemetry",
  "auth",
];
const SUBJECTS = [
  "keeps the amount in minor units",
  "rejects a negative amount",
  "rounds half to even",
  "answers 409 for a known order",
  "verifies the signature of a webhook",
  "ignores a webhook that came before",
  "settles partial refunds in order",
  "writes one row for each attempt",
  "masks card numbers in logs",
  "handles ¥ and ₩ without decimals",
  "closes the connection on shutdown",
  "accepts names such as Zoë and 渡辺",
];

/** A whole number from 0 to below `size` that looks like chance and is none. */
const scatter = (seed: number, size: number): number => (Math.imul(seed + 17, 2_654_435_761) >>> 8) % size;

const hexadecimal = (seed: number): string => (Math.imul(seed + 3, 2_246_822_519) >>> 0).toString(16).padStart(8, "0");

export interface SampleTestRun {
  readonly passed: number;
  readonly failures?: readonly SampleFailure[];
  readonly seed?: number;
}

export interface SampleFailure {
  readonly name: string;
  readonly error: string;
}

/** What a test runner prints when it names every test. */
export function testRun({ passed, failures = [], seed = 1 }: SampleTestRun): string {
  const lines = Array.from({ length: passed }, (_, at) => {
    const area = AREAS[Math.floor((at * AREAS.length) / passed)]!;
    const subject = SUBJECTS[(at + scatter(seed, 5)) % SUBJECTS.length]!;
    return ` ✓ src/${area}/${area}.test.ts > ${area} > ${subject} (case ${at + 1}) ${scatter(at + seed, 40) + 1}ms`;
  });
  const traces = failures.map((each, at) => failure(each, { at, total: failures.length, seed }));
  const verdict = failures.length > 0 ? `${failures.length} failed | ${passed} passed` : `${passed} passed`;
  return [
    ` RUN  v3.2.4 kassa\n`,
    ...lines,
    ...failures.map(({ name }) => ` × src/retry/scheduler.test.ts > RetryScheduler > ${name}`),
    ...traces,
    `\n Test Files  ${failures.length > 0 ? "1 failed | 9 passed" : "10 passed"} (10)`,
    `      Tests  ${verdict} (${passed + failures.length})`,
    `   Duration  ${(1.4 + passed / 60).toFixed(2)}s`,
  ].join("\n");
}

function failure(
  { name, error }: SampleFailure,
  { at, total, seed }: { at: number; total: number; seed: number },
): string {
  return `
 FAIL  src/retry/scheduler.test.ts > RetryScheduler > ${name}
${error}

 ❯ src/retry/scheduler.test.ts:${28 + at * 9}:30
     ${26 + at * 9}|     scheduler.submit(order);
     ${27 + at * 9}|     await scheduler.drain();
     ${28 + at * 9}|     expect(gateway.charges).toHaveLength(3);
       |                             ^
     keys seen: ${hexadecimal(seed + at)}, ${hexadecimal(seed + at + 1)}, ${hexadecimal(seed + at + 2)}
⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[${at + 1}/${total}]⎯`;
}

/** The log of the service around an incident; one line in twenty matters. */
export function serviceLog(lines: number, seed = 1): string {
  return Array.from({ length: lines }, (_, at) => logLine(at, seed)).join("\n");
}

function logLine(at: number, seed: number): string {
  const second = Math.floor(at / 3);
  const time = `2026-03-14T02:${String(10 + Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")}.${String(scatter(at, 1000)).padStart(3, "0")}Z`;
  const order = `ord_${hexadecimal(scatter(at + seed, 60)).slice(0, 4)}`;
  if (at % 20 === 13) return `${time} ERROR charge failed order=${order} attempt=1 took=4003 error=TimeoutError`;
  if (at % 20 === 15)
    return `${time} WARN  double settlement order=${order} charges=ch_${hexadecimal(at)},ch_${hexadecimal(at + 1)}`;
  return `${time} INFO  charge settled order=${order} amount=${scatter(at, 9000) + 100} currency=${["EUR", "CHF", "JPY"][at % 3]} took=${scatter(at + 7, 380) + 20}`;
}

/** The provider's answer to a query for charges. */
export function chargesJson(count: number): string {
  const data = Array.from({ length: count }, (_, at) => ({
    id: `ch_${hexadecimal(at)}`,
    order: `ord_${hexadecimal(Math.floor(at / 2)).slice(0, 4)}`,
    amount: scatter(at, 9000) + 100,
    currency: ["EUR", "CHF", "JPY"][at % 3],
    status: at % 7 === 5 ? "declined" : "succeeded",
    idempotency_key: `${hexadecimal(at)}-${hexadecimal(at + 9).slice(0, 4)}-4${hexadecimal(at + 5).slice(0, 3)}`,
    created: 1_773_454_200 + at * 11,
    metadata: { attempt: (at % 2) + 1, shop: ["Zürich", "東京", "Lyon"][at % 3] },
  }));
  return JSON.stringify({ object: "list", has_more: true, data }, null, 1);
}

/** Lines as a search over the source returns them. */
export function matches(word: string, count: number): string {
  return Array.from({ length: count }, (_, at) => {
    const area = AREAS[scatter(at, AREAS.length)]!;
    return `src/${area}/${area}-${["store", "handler", "mapper"][at % 3]}.ts:${scatter(at + 5, 180) + 4}:  ${["const", "await", "return"][at % 3]} ${word}(${["order", "charge", "attempt"][at % 3]}, { ${["reason", "amount", "key"][at % 3]} });`;
  }).join("\n");
}

/** The table of a coverage run. */
export function coverage(seed: number): string {
  const rows = AREAS.flatMap((area) =>
    ["store", "handler", "mapper", "index"].map((part, at) => {
      const share = 78 + scatter(seed + area.length * 7 + at, 22);
      return ` ${`${area}/${area}-${part}.ts`.padEnd(32)} | ${String(share).padStart(6)} | ${String(share - 6).padStart(6)} | ${scatter(at + seed, 90) + 8}-${scatter(at + seed, 90) + 11}`;
    }),
  );
  return ["File                              |  Lines | Branch | Uncovered", "-".repeat(64), ...rows].join("\n");
}

/** A listing of the repository. */
export function listing(): string {
  const files = AREAS.flatMap((area) =>
    ["store", "handler", "mapper"]
      .map((part) => `src/${area}/${area}-${part}.ts`)
      .concat(`src/${area}/${area}.test.ts`),
  );
  return [...files, "migrations/0041_orders.sql", "migrations/0042_charge_attempts.sql", "package.json"].join("\n");
}
