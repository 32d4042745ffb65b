/** The files of the service that the sample session is about: invented, and small enough to be read in one go. */
const SCHEDULER = `import { randomUUID } from "node:crypto";
import type { ChargeRequest, ChargeResult, PaymentGateway } from "../gateway/gateway.js";
import type { Ledger } from "../ledger/ledger.js";
import { logger } from "../telemetry/logger.js";
import { delayFor, patience, type RetryPolicy } from "./retry-policy.js";

interface Job {
  request: ChargeRequest;
  attempt: number;
  started: number;
  timer?: NodeJS.Timeout;
}

/** Runs charges, and runs them again while the policy allows it. */
export class RetryScheduler {
  private readonly jobs = new Map<string, Job>();

  constructor(
    private readonly gateway: PaymentGateway,
    private readonly ledger: Ledger,
    private readonly policy: RetryPolicy,
  ) {}

  submit(request: ChargeRequest): void {
    const job: Job = { request, attempt: 0, started: Date.now() };
    this.jobs.set(request.orderId, job);
    void this.attempt(job);
  }

  private async attempt(job: Job): Promise<void> {
    job.attempt += 1;
    const key = randomUUID();
    const started = Date.now();
    try {
      const result = await this.gateway.charge(job.request, { idempotencyKey: key });
      await this.settle(job, result);
    } catch (error) {
      logger.warn({ order: job.request.orderId, attempt: job.attempt, took: Date.now() - started, error }, "charge failed");
      this.retryLater(job);
    }
  }

  private retryLater(job: Job): void {
    if (Date.now() - job.started >= patience(this.policy)) {
      this.jobs.delete(job.request.orderId);
      void this.ledger.markFailed(job.request.orderId, "retries-exhausted");
      return;
    }
    const delay = delayFor(this.policy, job.attempt);
    job.timer = setTimeout(() => void this.attempt(job), delay);
  }

  private async settle(job: Job, result: ChargeResult): Promise<void> {
    if (result.status === "declined" && result.retryable) return this.retryLater(job);
    clearTimeout(job.timer);
    this.jobs.delete(job.request.orderId);
    await this.ledger.record({ orderId: job.request.orderId, attempt: job.attempt, result });
  }

  async drain(): Promise<void> {
    while (this.jobs.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}`;

const POLICY = `export interface RetryPolicy {
  /** Charges in total, the first one included. */
  maxAttempts: number;
  baseDelayMs: number;
  maxDelayMs: number;
  /** Share of the delay by which chance may lengthen or shorten it, from 0 to 1. */
  jitter: number;
}

export const DEFAULT_POLICY: RetryPolicy = { maxAttempts: 3, baseDelayMs: 200, maxDelayMs: 8_000, jitter: 0.25 };

export function delayFor(policy: RetryPolicy, attempt: number): number {
  const exponential = policy.baseDelayMs * 2 ** (attempt - 1);
  const capped = Math.min(exponential, policy.maxDelayMs);
  return capped * (1 + (Math.random() - 0.5) * policy.jitter);
}

/** How long to go on trying: as long as all delays take together. */
export function patience(policy: RetryPolicy): number {
  let total = 0;
  for (let attempt = 1; attempt < policy.maxAttempts; attempt++) total += policy.baseDelayMs * 2 ** (attempt - 1);
  return total;
}`;

const GATEWAY = `export interface ChargeRequest {
  orderId: string;
  /** In minor units: 1999 is 19.99 EUR. */
  amount: number;
  currency: string;
  customer: string;
}

export type ChargeResult =
  | { status: "succeeded"; chargeId: string }
  | { status: "declined"; code: string; retryable: boolean };

export interface PaymentGateway {
  charge(request: ChargeRequest, options: { idempotencyKey: string }): Promise<ChargeResult>;
}

/** Talks to the provider over HTTP. A timeout says nothing about whether the charge went through. */
export class HttpGateway implements PaymentGateway {
  constructor(private readonly baseUrl: string, private readonly secret: string, private readonly timeoutMs = 4_000) {}

  async charge(request: ChargeRequest, { idempotencyKey }: { idempotencyKey: string }): Promise<ChargeResult> {
    const response = await fetch(new URL("/v1/charges", this.baseUrl), {
      method: "POST",
      headers: { authorization: "Bearer " + this.secret, "idempotency-key": idempotencyKey },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(this.timeoutMs),
    });
    if (response.status === 402) return (await response.json()) as ChargeResult;
    if (!response.ok) throw new Error("gateway answered " + response.status);
    return (await response.json()) as ChargeResult;
  }
}`;

const TEST = `import { afterEach, describe, expect, it, vi } from "vitest";
import { FakeGateway } from "../../test/fake-gateway.js";
import { MemoryLedger } from "../../test/memory-ledger.js";
import { RetryScheduler } from "./scheduler.js";

const policy = { maxAttempts: 3, baseDelayMs: 10, maxDelayMs: 80, jitter: 0.25 };
const order = { orderId: "ord_7f3a", amount: 1999, currency: "EUR", customer: "cus_Zoë" };

describe("RetryScheduler", () => {
  afterEach(() => vi.restoreAllMocks());

  it("charges once when the gateway accepts", async () => {
    const gateway = new FakeGateway(["succeeded"]);
    const scheduler = new RetryScheduler(gateway, new MemoryLedger(), policy);
    scheduler.submit(order);
    await scheduler.drain();
    expect(gateway.charges).toHaveLength(1);
  });

  it("retries a declined charge at most three times", async () => {
    const gateway = new FakeGateway(["declined", "declined", "declined", "declined"]);
    const ledger = new MemoryLedger();
    const scheduler = new RetryScheduler(gateway, ledger, policy);
    scheduler.submit(order);
    await scheduler.drain();
    expect(gateway.charges).toHaveLength(3);
    expect(ledger.failures).toEqual([{ orderId: "ord_7f3a", reason: "retries-exhausted" }]);
  });

  // Flaky, see #231.
  it.skip("does not charge twice after a timeout", async () => {
    const gateway = new FakeGateway(["timeout-but-charged", "succeeded"]);
    const scheduler = new RetryScheduler(gateway, new MemoryLedger(), policy);
    scheduler.submit(order);
    await scheduler.drain();
    expect(gateway.settledAmount("ord_7f3a")).toBe(1999);
  });
});`;

const MIGRATION = `-- Applied in production. Never edit; add a new one instead.
CREATE TABLE charge_attempts (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id      text        NOT NULL REFERENCES orders (id),
  attempt       smallint    NOT NULL CHECK (attempt BETWEEN 1 AND 9),
  idempotency   text        NOT NULL,
  outcome       text        NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  UNIQUE (order_id, attempt),
  UNIQUE (idempotency)
);
CREATE INDEX charge_attempts_open ON charge_attempts (created_at) WHERE outcome = 'pending';`;

const PACKAGE = `{
  "name": "kassa",
  "private": true,
  "type": "module",
  "scripts": { "test": "vitest run", "typecheck": "tsc --noEmit", "lint": "biome ci ." },
  "dependencies": { "fastify": "^5.4.0", "pino": "^9.7.0", "postgres": "^3.4.7", "zod": "^4.1.0" },
  "devDependencies": { "fast-check": "^4.2.0", "typescript": "^5.9.0", "vitest": "^3.2.0" }
}`;

const FAKE = `import type { ChargeRequest, ChargeResult, PaymentGateway } from "../src/gateway/gateway.js";

type Outcome = "succeeded" | "declined" | "timeout-but-charged";

export class FakeGateway implements PaymentGateway {
  readonly charges: { request: ChargeRequest; key: string }[] = [];
  private readonly settled = new Map<string, number>();

  constructor(private readonly outcomes: Outcome[]) {}

  async charge(request: ChargeRequest, { idempotencyKey }: { idempotencyKey: string }): Promise<ChargeResult> {
    const outcome = this.outcomes[this.charges.length] ?? "declined";
    this.charges.push({ request, key: idempotencyKey });
    if (outcome !== "declined") this.settled.set(idempotencyKey, request.amount);
    if (outcome === "timeout-but-charged") throw new DOMException("The operation timed out.", "TimeoutError");
    if (outcome === "declined") return { status: "declined", code: "insufficient_funds", retryable: true };
    return { status: "succeeded", chargeId: "ch_" + this.charges.length };
  }

  settledAmount(_orderId: string): number {
    return [...this.settled.values()].reduce((sum, amount) => sum + amount, 0);
  }
}`;

const RUNBOOK = `# Runbook: payments

Alert "double settlement" pages whoever is on call. Check \`charge_attempts\` for two rows with outcome \`succeeded\` and
the same order. Refund the later one by hand, never by script, and note both charge ids in the incident.

Retries: 3 charges in total, 200 ms, 400 ms, then the order is marked failed. The provider keeps an idempotency key for
24 hours: the same key returns the same charge. Amounts are minor units, but JPY and KRW have none: ¥500 is 500.

Shops in Zürich settle in CHF, those in 東京 in JPY; the night run in São Paulo starts at 03:00 UTC.`;

/** Path → text. */
export const SOURCES: Readonly<Record<string, string>> = {
  "src/retry/scheduler.ts": SCHEDULER,
  "src/retry/retry-policy.ts": POLICY,
  "src/retry/scheduler.test.ts": TEST,
  "src/gateway/gateway.ts": GATEWAY,
  "test/fake-gateway.ts": FAKE,
  "migrations/0042_charge_attempts.sql": MIGRATION,
  "package.json": PACKAGE,
  "docs/runbook.md": RUNBOOK,
};
