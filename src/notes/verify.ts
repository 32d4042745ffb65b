import { invalidOption } from "../errors.js";
import { checkSource } from "./summariser.js";
import { isCut, isErrorText, withoutReasoning } from "./verify-answer.js";
import { unknownIdentifiers } from "./verify-identifiers.js";
import { statementsOf } from "./verify-lines.js";
import { contrary, rulesIn } from "./verify-polarity.js";
import { evidenceFor, type VerifySource } from "./verify-source.js";
import { accountsIn, falseState } from "./verify-tasks.js";
import { voiceFault } from "./verify-voices.js";

export type FaultKind =
  | "failed"
  | "empty"
  | "error-text"
  | "cut"
  | "not-smaller"
  | "too-long"
  | "unknown-identifier"
  | "request-not-made"
  | "instruction-promoted"
  | "inverted"
  | "finished-task-open"
  | "open-task-done"
  | "switched-back";

export interface Fault {
  readonly kind: FaultKind;
  /** What is wrong, so that its writer can mend it. */
  readonly detail: string;
  /** The line that does not hold, where it is not the whole. */
  readonly statement?: string;
  /** What a summariser that failed has thrown. */
  readonly cause?: unknown;
}

/** A line of a summary, and why it does not hold; no faults where it does. */
export interface CheckedStatement {
  readonly text: string;
  /** A heading states nothing by itself. */
  readonly isHeading: boolean;
  readonly faults: readonly Fault[];
}

export interface Verdict {
  /** Whether all of it holds. */
  readonly ok: boolean;
  /** What is wrong with it, and with each of its statements. */
  readonly faults: readonly Fault[];
  /** Its lines, each judged by itself; none where it is no summary at all. */
  readonly statements: readonly CheckedStatement[];
}

/**
 * Holds a summary against its source before it is used, statement by statement. Pure; the source is read once for each check.
 *
 * @example
 * ```ts
 * const messages = [{ role: "user", content: "Rename src/a.ts to src/b.ts" }];
 * verifySummary("The user asked to delete src/c.ts.", { messages, counter: createTokenCounter() });
 * // { ok: false, faults: [{ kind: "unknown-identifier", … }, { kind: "request-not-made", … }], statements: […] }
 * ```
 */
export function verifySummary(summary: string, source: VerifySource): Verdict {
  if (typeof summary !== "string") throw invalidOption({ option: "summary", value: summary, allowed: "a text" });
  checkSource(source);
  const text = withoutReasoning(summary);
  const unusable = answerFault(text, source);
  if (unusable !== undefined) return { ok: false, faults: [unusable], statements: [] };
  const statements = checked(text, source);
  const faults = [...sizeFaults(text, source), ...statements.flatMap((each) => each.faults)];
  return { ok: faults.length === 0, faults, statements };
}

function answerFault(text: string, { finish }: VerifySource): Fault | undefined {
  if (!/[\p{L}\p{N}]/u.test(text)) return { kind: "empty", detail: "The summary is empty." };
  if (finish === "refused" || isErrorText(text)) {
    return { kind: "error-text", detail: `The summary is no summary but a message of failure: ${text.slice(0, 120)}` };
  }
  if (isCut(text, finish)) return { kind: "cut", detail: "The summary stops in the middle. Write less." };
  return undefined;
}

function sizeFaults(text: string, { messages, previous = "", counter, maxTokens }: VerifySource): Fault[] {
  const tokens = counter.text(text);
  if (maxTokens !== undefined && tokens > maxTokens) {
    return [{ kind: "too-long", detail: `The summary has ${tokens} tokens; at most ${maxTokens} are allowed.` }];
  }
  let source = counter.text(previous);
  for (const message of messages) {
    source += counter.message(message);
    if (source > tokens) return [];
  }
  return [{ kind: "not-smaller", detail: `The summary has ${tokens} tokens, its source only ${source}.` }];
}

function checked(text: string, source: VerifySource): CheckedStatement[] {
  const evidence = evidenceFor(text, source);
  const accounts = accountsIn(evidence.spoken);
  const rules = rulesIn(evidence.spoken);
  return statementsOf(text, source.previous ?? "").map(({ text: statement, isHeading, isCarried, lines }) => {
    const faults = lines.flatMap((line) => {
      const unknown = unknownIdentifiers(line.said, evidence.texts).map((name) => {
        return { kind: "unknown-identifier", detail: `"${name}" does not occur in the conversation.` } as const;
      });
      const voice = contrary(line, evidence, rules) ?? (isCarried ? undefined : voiceFault(line, evidence));
      const kinds = [voice, falseState(line, accounts)].filter((kind) => kind !== undefined);
      return [...unknown, ...kinds.map((kind) => ({ kind, detail: `${REASONS[kind]}: ${line.said}` }))];
    });
    return { text: statement, isHeading, faults: faults.map((fault) => ({ ...fault, statement })) };
  });
}

const REASONS = {
  "request-not-made": "Nobody who may asked for this",
  "instruction-promoted": "This is no rule of the user but comes from a tool's output",
  inverted: "The user said the contrary of this",
  "finished-task-open": "This was finished and is not open",
  "open-task-done": "This is not finished",
  "switched-back": "This was last switched the other way",
} as const;
