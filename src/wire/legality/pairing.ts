import type { Fault } from "./violation.js";

/** What a request says to calls and results, in its order. */
export type PairEvent =
  /** A call; `mayWait` where the provider itself may yet answer it. */
  | { readonly call: string; readonly at: Fault["at"]; readonly mayWait?: boolean }
  | { readonly result: string; readonly at: Fault["at"] }
  /** What was called before must be answered by now. */
  | "settle";

/** The rules on calls and results that all providers share: each call has exactly one result, and no result stands alone. */
export function pairFaults(events: readonly PairEvent[]): Fault[] {
  const faults: Fault[] = [];
  const open = new Map<string, { readonly at: Fault["at"]; answers: number }>();
  const settle = (): void => {
    for (const { at, answers } of open.values()) if (answers === 0) faults.push({ rule: "unanswered-call", at });
    open.clear();
  };
  for (const event of events) {
    if (event === "settle") settle();
    else if ("call" in event) {
      if (event.call === "") faults.push({ rule: "blank-call-id", at: event.at });
      if (open.has(event.call)) faults.push({ rule: "duplicate-call-id", at: event.at });
      open.set(event.call, { at: event.at, answers: event.mayWait ? Number.NaN : 0 });
    } else {
      const call = open.get(event.result);
      if (call === undefined) faults.push({ rule: "orphan-result", at: event.at });
      else if (call.answers++ > 0) faults.push({ rule: "answered-twice", at: event.at });
    }
  }
  settle();
  return faults;
}
