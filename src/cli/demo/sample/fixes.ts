/** What the agent writes in the sample session. */
export const CLOCK = `/** Time and chance come in from outside, so that a test decides both. */
export interface Clock {
  now(): number;
  /** Calls back after a delay; returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
  /** From 0 to below 1. */
  chance(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  chance: () => Math.random(),
};`;

export const MANUAL_CLOCK = `import type { Clock } from "../src/retry/clock.js";

/** A clock that moves only when it is told to. */
export class ManualClock implements Clock {
  private time = 0;
  private readonly timers = new Map<number, { at: number; callback: () => void }>();
  private next = 1;

  now(): number {
    return this.time;
  }

  after(delayMs: number, callback: () => void): () => void {
    const id = this.next++;
    this.timers.set(id, { at: this.time + delayMs, callback });
    return () => this.timers.delete(id);
  }

  chance(): number {
    return 0.5;
  }

  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      const due = [...this.timers].filter(([, timer]) => timer.at <= end).sort((a, b) => a[1].at - b[1].at)[0];
      if (due === undefined) break;
      this.timers.delete(due[0]);
      this.time = due[1].at;
      due[1].callback();
      await Promise.resolve();
    }
    this.time = end;
  }
}`;

export const IDEMPOTENCY = `import { createHash } from "node:crypto";
import type { ChargeRequest } from "../gateway/gateway.js";

/**
 * One key for one order and amount, however often it is tried: the provider returns the charge it already made. Behind
 * a decline it must be a new key, or the provider returns the decline again.
 */
export function idempotencyKey(request: ChargeRequest, declines: number): string {
  const text = [request.orderId, request.amount, request.currency, declines].join("|");
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}`;

export const NEW_SCHEDULER = `import type { ChargeRequest, ChargeResult, PaymentGateway } from "../gateway/gateway.js";
import type { Ledger } from "../ledger/ledger.js";
import { logger } from "../telemetry/logger.js";
import { type Clock, systemClock } from "./clock.js";
import { idempotencyKey } from "./idempotency.js";
import { delayFor, type RetryPolicy } from "./retry-policy.js";

interface Job {
  readonly request: ChargeRequest;
  attempt: number;
  declines: number;
  cancel: () => void;
  readonly done: PromiseWithResolvers<void>;
}

/** Runs charges, and runs them again while the policy allows it. An order has at most one job at a time. */
export class RetryScheduler {
  private readonly jobs = new Map<string, Job>();

  constructor(
    private readonly gateway: PaymentGateway,
    private readonly ledger: Ledger,
    private readonly policy: RetryPolicy,
    private readonly clock: Clock = systemClock,
  ) {}

  submit(request: ChargeRequest): void {
    if (this.jobs.has(request.orderId)) return;
    const job: Job = { request, attempt: 0, declines: 0, cancel: () => {}, done: Promise.withResolvers() };
    this.jobs.set(request.orderId, job);
    void this.attempt(job);
  }

  private async attempt(job: Job): Promise<void> {
    job.attempt += 1;
    const started = this.clock.now();
    const key = idempotencyKey(job.request, job.declines);
    try {
      const result = await this.gateway.charge(job.request, { idempotencyKey: key });
      await this.settle(job, result);
    } catch (error) {
      const took = this.clock.now() - started;
      logger.warn({ order: job.request.orderId, attempt: job.attempt, took, error }, "charge failed");
      await this.retryLater(job);
    }
  }

  private async retryLater(job: Job): Promise<void> {
    if (job.attempt >= this.policy.maxAttempts) {
      await this.ledger.markFailed(job.request.orderId, "retries-exhausted");
      return this.finish(job);
    }
    job.cancel = this.clock.after(delayFor(this.policy, job.attempt, this.clock), () => void this.attempt(job));
  }

  private async settle(job: Job, result: ChargeResult): Promise<void> {
    if (result.status === "declined") job.declines += 1;
    if (result.status === "declined" && result.retryable) return this.retryLater(job);
    await this.ledger.record({ orderId: job.request.orderId, attempt: job.attempt, result });
    this.finish(job);
  }

  private finish(job: Job): void {
    job.cancel();
    this.jobs.delete(job.request.orderId);
    job.done.resolve();
  }

  async drain(): Promise<void> {
    await Promise.all([...this.jobs.values()].map((job) => job.done.promise));
  }
}`;

export const PROPERTY_TEST = `import fc from "fast-check";
import { expect, it } from "vitest";
import { FakeGateway } from "../../test/fake-gateway.js";
import { ManualClock } from "../../test/manual-clock.js";
import { MemoryLedger } from "../../test/memory-ledger.js";
import { RetryScheduler } from "./scheduler.js";

const outcome = fc.constantFrom("succeeded", "declined", "timeout-but-charged");
const order = fc.record({
  orderId: fc.string({ minLength: 1, unit: "grapheme" }),
  amount: fc.integer({ min: 1, max: 10_000_000 }),
  currency: fc.constantFrom("EUR", "CHF", "JPY", "BRL"),
  customer: fc.string({ unit: "grapheme" }),
});

it("never settles more than the amount, whatever the gateway answers", async () => {
  await fc.assert(
    fc.asyncProperty(order, fc.array(outcome, { maxLength: 6 }), async (request, outcomes) => {
      const clock = new ManualClock();
      const gateway = new FakeGateway(outcomes);
      const policy = { maxAttempts: 3, baseDelayMs: 10, maxDelayMs: 80, jitter: 0.25 };
      const scheduler = new RetryScheduler(gateway, new MemoryLedger(), policy, clock);
      scheduler.submit(request);
      await clock.advance(10_000);
      await scheduler.drain();
      expect(gateway.charges.length).toBeLessThanOrEqual(3);
      expect([0, request.amount]).toContain(gateway.settledAmount(request.orderId));
    }),
  );
});`;

export const DIFF = `diff --git a/src/retry/retry-policy.ts b/src/retry/retry-policy.ts
--- a/src/retry/retry-policy.ts
+++ b/src/retry/retry-policy.ts
@@ -1,3 +1,5 @@
+import { type Clock, systemClock } from "./clock.js";
+
 export interface RetryPolicy {
   /** Charges in total, the first one included. */
   maxAttempts: number;
@@ -10,8 +12,8 @@
-export function delayFor(policy: RetryPolicy, attempt: number): number {
+export function delayFor(policy: RetryPolicy, attempt: number, clock: Clock = systemClock): number {
   const exponential = policy.baseDelayMs * 2 ** (attempt - 1);
   const capped = Math.min(exponential, policy.maxDelayMs);
-  return capped * (1 + (Math.random() - 0.5) * policy.jitter);
+  return capped * (1 + (clock.chance() - 0.5) * policy.jitter);
 }
diff --git a/src/retry/clock.ts b/src/retry/clock.ts
new file mode 100644
diff --git a/src/retry/idempotency.ts b/src/retry/idempotency.ts
new file mode 100644`;
