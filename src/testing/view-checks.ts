/** What every view promises, as checks of one view after another. */

import { VarveError } from "../errors.js";
import { isBlank, messageText } from "../message/content.js";
import type { Message } from "../message/types.js";
import type { View } from "../view/view.js";
import { PROVIDERS, violations } from "../wire/legality/violations.js";
import { demand, type Run, type Step, tokensOf } from "./drive.js";
import { markedIn, markOf } from "./generate-history.js";

interface ShownStep extends Step {
  readonly view: View;
  /** Where it went wrong, for the error. */
  readonly where: string;
}

function* shownSteps({ name, window, steps }: Run): Generator<ShownStep> {
  for (const { at, messages, view } of steps) {
    if (view instanceof VarveError) continue;
    yield { at, messages, view, where: `${name}, window ${window}, message ${at}` };
  }
}

export function checkFits(run: Run): void {
  for (const { view, where } of shownSteps(run)) {
    const tokens = tokensOf(view);
    demand(view.tokens === tokens, `${where}: the view says ${view.tokens} tokens and has ${tokens}`);
    demand(tokens <= run.window, `${where}: the view has ${tokens} tokens`);
  }
  for (const { at, view } of run.steps) {
    const refused = view instanceof VarveError && view.hint === undefined;
    demand(!refused, `${run.name}, message ${at}: the refusal has no hint`);
  }
}

/** A window that has room for the whole history many times over. */
export function checkAnswers(run: Run): void {
  const refused = run.steps.find(({ view }) => view instanceof VarveError);
  demand(
    refused === undefined,
    `${run.name}, window ${run.window}, message ${refused?.at}: refused though there is room`,
  );
}

export function checkLegal(run: Run): void {
  for (const { view, where } of shownSteps(run)) {
    if (view.messages.every(({ role }) => role === "system")) continue;
    for (const provider of PROVIDERS) {
      const [first] = violations(view.messages, provider);
      demand(first === undefined, `${where}: ${provider} refuses it: ${JSON.stringify(first)}`);
    }
  }
}

export function checkLastUser(run: Run): void {
  for (const { messages, view, where } of shownSteps(run)) {
    const last = messages.findLast((message) => message.role === "user" && !isBlank(message));
    const mark = last && markedIn(messageText(last));
    if (mark === undefined) continue;
    const shown = view.messages.some(
      (message) => message.role === "user" && messageText(message).includes(markOf(mark)),
    );
    demand(shown, `${where}: the last message of the user is not shown`);
  }
}

/** Marks of what the user and the assistant said, in the order in which a view shows them. */
const marksIn = (messages: readonly Message[]): number[] =>
  messages.flatMap((message) =>
    message.role === "user" || message.role === "assistant" ? (markedIn(messageText(message)) ?? []) : [],
  );

export function checkOrder(run: Run): void {
  for (const { view, where } of shownSteps(run)) {
    const marks = marksIn(exchangesOf(view));
    const wrong = marks.findIndex((mark, at) => at > 0 && mark <= marks[at - 1]!);
    demand(wrong < 0, `${where}: message ${marks[wrong]} is shown behind message ${marks[wrong - 1]}`);
  }
}

/** The messages of a view but for what stands in for the past. */
function exchangesOf({ messages, plan }: View): Message[] {
  const notes = new Set(plan.items.flatMap((item) => (item.kind === "notes" ? [item.message] : [])));
  return messages.filter((message) => !notes.has(message));
}

/** Receipts account for all that is missing, and speak of the view that they came with. */
export function checkReceipts(run: Run): void {
  let accounted = 0;
  for (const { messages, view, where } of shownSteps(run)) {
    const { receipt } = view;
    accounted += receipt?.leftOut?.entries ?? 0;
    for (const { entries } of receipt?.items ?? []) accounted += entries;
    const shown = new Set(marksIn(exchangesOf(view)));
    const missing = marksIn(messages).filter((mark) => !shown.has(mark)).length;
    demand(missing <= accounted, `${where}: ${missing} messages are missing, receipts account for ${accounted}`);
    const after = receipt?.tokensAfter ?? view.tokens;
    demand(after === view.tokens, `${where}: the receipt says ${after} tokens, the view has ${view.tokens}`);
  }
}
