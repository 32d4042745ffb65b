import { VarveError } from "../../errors.js";
import type { ToolDefinition } from "../../message/types.js";
import { isContextOverflow } from "../../model/overflow.js";
import type { StreamEnd, StreamEvent } from "../../model/streaming.js";
import { isCompaction, type Receipt } from "../../view/receipt.js";
import type { View } from "../../view/view.js";
import { formatCount } from "../terminal/format.js";
import { learnWindow } from "./learn-window.js";
import type { TurnListener } from "./listener.js";
import { definitionOf } from "./tools/tool.js";
import type { TurnParts } from "./turn-parts.js";

type ChatView = View<ToolDefinition>;

/** What came of a request. */
export interface Asked {
  /** Undefined where the user stopped the answer. */
  readonly end: StreamEnd | undefined;
  /** The words that had come by then. */
  readonly partial: string;
  readonly compactions: number;
}

/**
 * Sends the view and reads the answer. Where the provider says that it did not fit, or the window was full before the
 * answer was complete, the view is reduced and sent again, as often as is allowed.
 */
export async function askModel(parts: TurnParts): Promise<Asked> {
  let view = await makeView(parts);
  for (let forced = 0; ; forced++) {
    const compactions = forced + (view.receipt !== undefined && isCompaction(view.receipt) ? 1 : 0);
    const mayForce = forced < parts.maxCompactions;
    try {
      const asked = await readAnswer(view, parts);
      if (asked.end === undefined || !mayForce || !isCutByWindow(asked.end, view, outputLimit(view, parts)))
        return { ...asked, compactions };
      parts.listener.note("The window was full before the answer was complete.");
      if (!(await forceCompaction(parts))) return { ...asked, compactions };
      view = await makeView(parts);
    } catch (error) {
      if (!isContextOverflow(error)) throw error;
      parts.listener.note("The provider says that the request does not fit the model's window.");
      const smaller = mayForce ? await smallerView(view, error, parts) : undefined;
      if (smaller === undefined) throw stillTooLong(error, view);
      view = smaller;
    }
    parts.listener.again();
  }
}

/** A view for the window that the refusal tells of; where it tells of none, one with less in it. Undefined where there is none. */
async function smallerView(view: ChatView, refusal: unknown, parts: TurnParts): Promise<ChatView | undefined> {
  const learnt = learnWindow(parts.session, view, refusal);
  if (learnt === undefined) return (await forceCompaction(parts)) ? makeView(parts) : undefined;
  try {
    const smaller = await makeView(parts);
    parts.listener.note(
      `Going on with a window of ${formatCount(learnt.window)} tokens; "window" in varve.json keeps it.`,
    );
    return smaller;
  } catch (error) {
    if (!VarveError.isInstance(error) || error.code !== "floor-exceeds-window") throw error;
    learnt.forget();
    return undefined;
  }
}

async function makeView({ session, system, tools, listener }: TurnParts): Promise<ChatView> {
  const view = await session.view({ system, tools: tools.map(definitionOf) });
  const { receipt } = view;
  if (receipt !== undefined && isCompaction(receipt)) listener.note(reduced(receipt, listener));
  return view;
}

const reduced = ({ tokensBefore, tokensAfter }: Receipt, { hasCommands }: TurnListener): string =>
  `Compacted from ${formatCount(tokensBefore)} to ${formatCount(tokensAfter)} tokens${hasCommands ? "; /undo takes it back" : ""}.`;

/** Views fit the window that varve knows of, so that another one must be meant. */
const stillTooLong = (cause: unknown, { tokens, budget: { window } }: View): VarveError =>
  new VarveError({
    code: "context-overflow",
    message: `The provider refuses a view of ${formatCount(tokens)} tokens: ${cause instanceof Error ? cause.message : String(cause)}`,
    hint: `Its window may be smaller than ${formatCount(window)} tokens: give the true one with --window, or "window" in varve.json.`,
    cause,
    details: { tokens, window },
  });

/** False where there is nothing left to leave out. */
async function forceCompaction({ session, listener }: TurnParts): Promise<boolean> {
  try {
    listener.note(reduced(await session.compact({ force: true }), listener));
    return true;
  } catch (error) {
    if (VarveError.isInstance(error) && error.code === "nothing-removed") return false;
    throw error;
  }
}

/** Providers stop a few tokens short of the window. */
const FULL = 0.99;

/** An answer that used up all that it was allowed was not cut by the window: a shorter view would not lengthen it. */
function isCutByWindow({ finish, usage }: StreamEnd, { tokens, budget }: View, limit: number | undefined): boolean {
  const { inputTokens = tokens, outputTokens = 0 } = usage;
  if (finish !== "length" || (limit !== undefined && outputTokens >= limit)) return false;
  return inputTokens + outputTokens >= FULL * budget.window;
}

const outputLimit = ({ budget: { reserve } }: View, { maxOutputTokens }: TurnParts): number | undefined =>
  maxOutputTokens ?? (reserve > 0 ? reserve : undefined);

async function readAnswer(view: ChatView, parts: TurnParts): Promise<Omit<Asked, "compactions">> {
  const { model, signal } = parts;
  const limit = outputLimit(view, parts);
  const request = { messages: view.messages, tools: view.tools, signal, ...(limit && { maxOutputTokens: limit }) };
  let partial = "";
  try {
    for await (const event of model.stream(request)) {
      if (event.type === "answer-end") return { end: counted(event, parts), partial };
      if (event.type === "answer-restart") partial = "";
      if (event.type === "text-delta") partial += event.text;
      show(event, parts.listener);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { end: undefined, partial };
}

function show(event: StreamEvent, listener: TurnListener): void {
  if (event.type === "text-delta") listener.text(event.text);
  if (event.type === "reasoning-delta") listener.thinking();
  if (event.type !== "answer-restart") return;
  listener.note(`${event.error.message.replace(/[.\s]+$/, "")}; asking again${pause(event.wait)}.`);
  listener.again();
}

/** What the provider counted corrects the session's own count. */
function counted(end: StreamEnd, { session, meter }: TurnParts): StreamEnd {
  const { inputTokens, outputTokens } = end.usage;
  meter.add(end.usage);
  if (inputTokens) session.reportUsage({ inputTokens, ...(outputTokens !== undefined && { outputTokens }) });
  return end;
}

const pause = (milliseconds: number): string =>
  milliseconds < 1_000 ? "" : ` in ${formatCount(Math.round(milliseconds / 1_000))} s`;
