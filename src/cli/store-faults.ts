/** What is damaged in a store, for people and for programs. */
import { VarveError } from "../errors.js";
import type { Store, VerifyReport } from "../store/store.js";
import type { Output } from "./output/schemas.js";
import { commandLineHint } from "./report-hints.js";
import { countOf, wrap } from "./terminal/format.js";
import { Progress } from "./terminal/progress.js";
import type { Screen } from "./terminal/screen.js";

type Fault = Output<"store verify">["faults"][number];

/** Reads all of a store; on a terminal, says how far it has come. */
export async function verified(store: Store): Promise<VerifyReport> {
  if (store.verify === undefined) throw cannot(store, "verify", "Ask whoever wrote it, or export its sessions.");
  let progress: Progress | undefined;
  const report = await store.verify({
    onProgress: ({ total }) => {
      progress ??= new Progress(process.stderr, { total, now: Date.now });
      progress.advance(1, "reading");
    },
  });
  progress?.end();
  return report;
}

export const faultData = ({ code, message, hint = "", details }: VarveError): Fault => ({
  code,
  message,
  hint: commandLineHint(hint),
  details: { ...details },
});

export const faultLines = (faults: readonly Fault[], screen: Screen): string[] =>
  faults.flatMap(({ message }) => wrap(message, Math.max(20, screen.width() - 4)).map((line) => `   ${line}`));

export const heldWords = ({ sessions, entries, memories }: Omit<VerifyReport, "faults">): string =>
  [countOf(sessions, "session"), countOf(entries, "entry", "entries"), countOf(memories, "memory", "memories")].join(
    ", ",
  );

export const cannot = ({ name }: Store, what: string, hint: string): VarveError =>
  new VarveError({
    code: "store-failed",
    message: `The store "${name}" has no ${what} of its own.`,
    hint,
    details: { store: name },
  });
