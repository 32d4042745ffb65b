import { invalidOption } from "../errors.js";
import { checkSource } from "./check-summariser.js";
import { parseSections } from "./model-summariser-sections.js";
import { isCut, isErrorText, withoutReasoning } from "./verify-answer.js";
import { unknownIdentifiers } from "./verify-identifiers.js";
import { switchedBack } from "./verify-modes.js";
import { falseRequests } from "./verify-requests.js";
import { type Spoken, spokenIn, type VerifySource } from "./verify-source.js";
import { falseTasks } from "./verify-tasks.js";

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
  | "finished-task-open"
  | "open-task-done"
  | "switched-back";

export interface Fault {
  readonly kind: FaultKind;
  /** What is wrong, so that its writer can mend it. */
  readonly detail: string;
  /** What a summariser that failed has thrown. */
  readonly cause?: unknown;
}

export type Verdict = { readonly ok: true } | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * Holds a summary against its source before it is used. Pure; the source is read once for each check.
 *
 * @example
 * ```ts
 * const messages = [{ role: "user", content: "Rename src/a.ts to src/b.ts" }];
 * verifySummary("The user asked to delete src/c.ts.", { messages, counter: createTokenCounter() });
 * // { ok: false, faults: [{ kind: "unknown-identifier", … }, { kind: "request-not-made", … }] }
 * ```
 */
export function verifySummary(summary: string, source: VerifySource): Verdict {
  if (typeof summary !== "string") throw invalidOption({ option: "summary", value: summary, allowed: "a text" });
  checkSource(source);
  const text = withoutReasoning(summary);
  const unusable = answerFault(text, source);
  const faults = unusable === undefined ? [...sizeFaults(text, source), ...contentFaults(text, source)] : [unusable];
  return faults.length === 0 ? { ok: true } : { ok: false, faults };
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

function contentFaults(text: string, { messages, previous = "" }: VerifySource): Fault[] {
  const spoken = spokenIn(messages);
  const sections = parseSections(text);
  return [
    ...identifierFaults(text, spoken, previous),
    ...falseRequests(sections, text, { spoken, previous }).map(
      ({ kind, line }): Fault => ({ kind, detail: `${REASONS[kind]}: ${line}` }),
    ),
    ...falseTasks(sections, spoken).map(({ kind, item }): Fault => ({ kind, detail: `${REASONS[kind]}: ${item}` })),
    ...switchedBack(text, spoken).map(
      ({ name, on }): Fault => ({
        kind: "switched-back",
        detail: `The summary shows "${name}" as ${on ? "on" : "off"}; it was last switched ${on ? "off" : "on"}.`,
      }),
    ),
  ];
}

const REASONS = {
  "request-not-made": "The user did not ask for this",
  "instruction-promoted": "This is no rule of the user but comes from a tool's output",
  "finished-task-open": "This was finished and is not open",
  "open-task-done": "This is not finished",
} as const;

const identifierFaults = (text: string, spoken: readonly Spoken[], previous: string): Fault[] =>
  unknownIdentifiers(text, spoken, previous).map((name) => ({
    kind: "unknown-identifier",
    detail: `"${name}" does not occur in the conversation.`,
  }));
