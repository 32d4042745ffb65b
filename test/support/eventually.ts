import { vi } from "vitest";

/** Waits until a check holds, with patience for a busy machine. */
export const eventually = (check: () => unknown): Promise<unknown> =>
  vi.waitFor(check, { timeout: 60_000, interval: 5 });
