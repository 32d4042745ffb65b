import fc from "fast-check";
import { expect } from "vitest";
import {
  createTokenCounter,
  type Message,
  openVarve,
  PROVIDERS,
  type Receipt,
  type Session,
  slidingWindow,
  VarveError,
  type View,
  violations,
} from "../../src/index.js";
import { isBlank, messageText, outputText } from "../../src/message/content.js";
import type { Entry } from "../../src/message/entry.js";
import { NO_RESULT, OPENER } from "../../src/message/repair.js";
import { text } from "./histories.js";

/** Conducts a session through any sequence of actions, makes a view after each, and checks what every view promises. */
const MODEL = "claude-sonnet-4-5";

export type Action =
  | { readonly kind: "append"; readonly messages: readonly Message[] }
  | { readonly kind: "pin" | "unpin"; readonly at: number }
  | { readonly kind: "report"; readonly ratio: number }
  | { readonly kind: "configure"; readonly window: number }
  | { readonly kind: "again" };

export interface Setting {
  readonly window: number;
  readonly trigger: number;
  readonly target: number;
  readonly lockLast: number;
  readonly resultShare: number;
  readonly system: string | undefined;
  readonly context: string | undefined;
  /** Whether there is an archive: with one, more of the log is looked at. */
  readonly archives: boolean;
}

export const setting: fc.Arbitrary<Setting> = fc.record({
  window: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 400, max: 4_000 })),
  trigger: fc.constantFrom(1, 0.9, 0.5),
  target: fc.constantFrom(0.5, 0.25, 0.1),
  lockLast: fc.constantFrom(0, 2, 6, 50),
  resultShare: fc.constantFrom(0.05, 0.25, 1),
  system: fc.option(text, { nil: undefined }),
  context: fc.option(text, { nil: undefined }),
  archives: fc.boolean(),
});

export const tools = [
  {
    name: "read",
    description: "Reads a file",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  },
];

/** Something other than appending, now and then. */
export const interlude: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("pin" as const), at: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("unpin" as const), at: fc.nat() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("report" as const),
      ratio: fc.double({ min: 0.7, max: 1.4, noNaN: true }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("configure" as const), window: fc.integer({ min: 100, max: 4_000 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "again" as const }) },
);

/** One view with all that is needed to judge it. */
export interface Shown {
  readonly action: Action;
  readonly view: View | VarveError;
  readonly entries: readonly Entry[];
  readonly usable: number;
  /** Counts as the session did for this view. */
  readonly count: (messages: readonly Message[]) => number;
  readonly pins: readonly Entry[];
  readonly archived: readonly Message[];
  readonly accounted: number;
}

export async function conduct(actions: readonly Action[], given: Setting): Promise<Shown[]> {
  const { system, context, window, trigger, target, archives, ...policy } = given;
  const archived: Message[] = [];
  const archive = (messages: readonly Message[]): void => void archived.push(...messages);
  const options = { window, trigger, target, model: MODEL, reserve: 0, pinBudget: 1, strategy: slidingWindow(policy) };
  const session = await (await openVarve()).session("s", { ...options, ...(archives && { archive }) });
  const pins: Entry[] = [];
  const shown: Shown[] = [];
  let latest: View | undefined;
  for (const action of actions) {
    const entries = session.entries();
    if (action.kind === "append") await session.append(action.messages);
    if (action.kind === "configure") session.configure({ window: action.window });
    if (action.kind === "report" && latest !== undefined)
      session.reportUsage({ inputTokens: Math.round(latest.tokens * action.ratio) });
    if (action.kind === "pin" && entries.length > 0) {
      const entry = entries[action.at % entries.length]!;
      if (isPinned(session, entry) && !pins.includes(entry)) pins.push(entry);
    }
    if (action.kind === "unpin" && pins.length > 0) session.unpin(pins.splice(action.at % pins.length, 1)[0]!.id);
    const request = { tools, ...(system !== undefined && { system }), ...(context !== undefined && { context }) };
    const view = await session.view(request).catch(refused);
    const status = session.status();
    if (!(view instanceof VarveError)) latest = view;
    shown.push({
      action,
      view,
      entries: [...session.entries()],
      usable: status.budget.usable,
      count: countAs(status.counter),
      pins: [...pins],
      archived: [...archived],
      accounted: session.receipts().reduce((sum, { leftOut }) => sum + (leftOut?.entries ?? 0), 0),
    });
  }
  return shown;
}

/** A pin that nothing could come of, or that takes more than all pins may, is refused. */
function isPinned(session: Session, { id }: Entry): boolean {
  try {
    session.pin(id);
    return true;
  } catch (error) {
    if (!VarveError.isInstance(error) || error.code !== "pin-refused") throw error;
    return false;
  }
}

function refused(error: unknown): VarveError {
  if (!VarveError.isInstance(error) || error.code !== "floor-exceeds-window") throw error;
  return error;
}

const isWords = (message: Message): boolean =>
  (message.role === "user" || message.role === "assistant") && typeof message.content === "string" && !isBlank(message);

/** The model's own counter with the factor that the name of the session's counter ends in. */
function countAs(name: string): Shown["count"] {
  const base = createTokenCounter({ model: MODEL });
  const factor = Number(/×([\d.]+)$/.exec(name)?.[1] ?? 1);
  const scale = (tokens: number) => (factor === 1 ? tokens : Math.ceil(tokens * factor));
  return (messages) => messages.reduce((sum, message) => sum + scale(base.message(message)), scale(base.tools(tools)));
}

/** What holds for every view, whatever the log and the actions. */
export function expectSound({ view, usable, count, entries, pins, archived }: Shown, before: View | undefined): void {
  if (view instanceof VarveError) {
    expect(view.details.needed).toBeGreaterThan(usable);
    return;
  }
  expect(view.tokens).toBe(count(view.messages));
  expect(view.tokens).toBeLessThanOrEqual(usable);
  for (const provider of PROVIDERS) expect(violations(view.messages, provider)).toEqual([]);
  expectPins(view, entries, pins);
  expect(new Set(archived).size).toBe(archived.length);
  expectReceipt(view, before);
  expectRepairs(view);
}

/** A pinned message is shown as it is; only as part of the last turn it may be shortened. */
function expectPins({ messages }: View, entries: readonly Entry[], pins: readonly Entry[]): void {
  const latest = entries.findLast(({ message }) => message.role === "user" && !isBlank(message));
  const opensLast = ({ role }: Message) => role === "user" || role === "assistant";
  const last = entries.findLast(({ message }) => opensLast(message) && !isBlank(message));
  const whole = pins.filter((entry) => isWords(entry.message) && entry !== latest && entry !== last);
  for (const { message } of whole) expect(messages).toContain(message);
}

function expectReceipt(view: View, before: View | undefined): void {
  const { receipt } = view;
  expect(receipt?.leftOut?.entries ?? 0).toBeGreaterThanOrEqual(view.leftOut - (before?.leftOut ?? 0));
  if (receipt?.replacedBy !== undefined) expect(view.messages.map(messageText)).toContain(receipt.replacedBy);
  if (receipt === undefined) return;
  expect(receipt.tokensAfter).toBe(view.tokens);
  expectSums(receipt);
}

const GONE: readonly string[] = ["left-out", "digested"];

/** The items are the whole of a receipt: their entries are those left out, and their tokens those saved. */
export function expectSums({ items, leftOut, memory, context, tokensBefore, tokensAfter }: Receipt): void {
  const gone = items.filter(({ fate }) => GONE.includes(fate));
  expect(gone.reduce((sum, { entries }) => sum + entries, 0)).toBe(leftOut?.entries ?? 0);
  const changes = [...items, memory, ...(context ? [context] : [])];
  const saved = changes.reduce((sum, change) => sum + change.tokensBefore - change.tokensAfter, 0);
  expect(tokensBefore - tokensAfter).toBe(saved);
  expect(items.length).toBeLessThanOrEqual(200);
  const place = ({ from }: { from: string }) => Number(from.slice(1));
  const ended = items.filter(({ fate }) => fate !== "unpinned").map(place);
  expect(ended).toEqual([...ended].sort((a, b) => a - b));
}

function expectRepairs({ messages, repairs }: View): void {
  const opened = repairs.some(({ kind }) => kind === "missing-opener");
  expect(opened).toBe(messages.includes(OPENER));
  const unanswered = repairs.filter(({ kind }) => kind === "unanswered-call").length;
  expect(messages.flatMap(closedCalls).length).toBeLessThanOrEqual(unanswered);
}

const closedCalls = (message: Message): string[] =>
  message.role !== "tool"
    ? []
    : message.content.flatMap((part) =>
        part.type === "tool-result" && outputText(part.output) === NO_RESULT ? [part.toolCallId] : [],
      );

/** The messages of a view that stand in the log. */
export const ofLog = ({ messages }: View, system: string | undefined): Message[] =>
  messages.filter((message) => {
    const words = messageText(message);
    const isNote = words.startsWith("[Memory Summary]") || (message.role === "system" && words === system);
    return !isNote && message !== OPENER && !(message.role === "user" && words.startsWith("<context>\n"));
  });
