/**
 * What is known of a log: how its exchanges look in a view, and what they weigh. All of it follows from the log and the
 * counter alone. It is kept so that no view counts a message twice, and what no view reaches is never counted at all.
 */

import { outputText } from "../message/content.js";
import { type Exchange, membersOf } from "../message/exchanges.js";
import type { Log } from "../message/log.js";
import type { Position } from "../message/positions.js";
import type { AnyTool, Message, ToolCallPart } from "../message/types.js";
import { IdentifierIndex, readFrom } from "../notes/identifier-index.js";
import { ImportanceIndex } from "../notes/importance.js";
import { measureTokens } from "../reduce/measure.js";
import { type CallFacts, describeCall } from "../reduce/supersede-call.js";
import type { TokenCounter } from "../tokens/counter.js";
import { LARGEST_RESULT } from "./budget.js";
import type { Change, Form, PlanItem } from "./plan.js";
import { render } from "./render.js";
import { capMessage, type Shrinker, shrinkerOf } from "./shrink.js";
import { withoutReasoning } from "./thinking.js";

/** An exchange as a view shows it. */
export interface Shown {
  readonly at: Position;
  readonly entries: readonly Position[];
  readonly messages: readonly Message[];
  readonly tokens: number;
  readonly revision: number;
  /** What is not as the log has it. */
  readonly changes: readonly Change[];
  /** The form that later views show as well. */
  readonly form: Form | undefined;
}

export interface Reading {
  readonly log: Log;
  readonly counter: TokenCounter;
  /** Tokens that one tool result may take. */
  readonly cap: number;
  readonly identifiers: IdentifierIndex;
  readonly importance: ImportanceIndex;
  /** Tokens of a message and of tools; counted once. */
  tokens(message: Message): number;
  toolTokens(tools: readonly AnyTool[]): number;
  /** A message of these words: the same one each time as long as they are asked for. */
  said(role: "user" | "system", content: string): Message;
  /** Tokens of the exchange that opens at a position, if some view has needed them. */
  counted(at: Position): number | undefined;
  /** An exchange as a view shows it for the first time: its results are cut to their share. */
  fresh(exchange: Exchange): Shown;
  /** The same in a form that was made of it, or as the log has it. */
  inForm(exchange: Exchange, form: Form | undefined): Shown;
  /** The same without its reasoning. */
  unthought(shown: Shown): Shown;
  /** The messages that the items of a plan show. */
  rendered(items: readonly PlanItem[]): readonly Message[];
  shrinker(shown: Pick<Shown, "messages" | "tokens">): Shrinker;
  facts(call: ToolCallPart): CallFacts;
  /** A number that two messages share where they are the same. */
  hash(message: Message): number;
}

/** A text this many times longer than the cap has tokens is reduced without counting all of it first. */
const SURELY_LONG = 12;
/** A result is reduced only where it is longer than its share by this much: the marks cost tokens too. */
const SLACK = 1.2;
/** Texts of the request and of notes that are kept at hand. */
const MOST_SAID = 16;

export function readingOf(log: Log, counter: TokenCounter, cap: number): Reading {
  const counts = memo<Message, number>((message) => counter.message(message));
  const facts = memo<ToolCallPart, CallFacts>(describeCall);
  const hash = memo<Message, number>(hashOf);
  const rendered = memo<readonly PlanItem[], readonly Message[]>((items) => render({ items }, log));
  const shrinkers = memo<readonly Message[], Shrinker>();
  const silent = memo<Shown, Shown>((shown) => withoutThought(shown, counts));
  const inForms = memo<Form, Shown>();
  const [freshShown, wholeShown] = [memo<readonly Message[], Shown>(), memo<readonly Message[], Shown>()];
  // By position; small, for these are never let go of.
  const freshTokens: (number | undefined)[] = [];
  const wholeTokens: (number | undefined)[] = [];
  const said = new Map<string, Message>();
  let identifiers: IdentifierIndex | undefined;
  let importance: ImportanceIndex | undefined;
  let tools: { list: readonly AnyTool[]; tokens: number } = { list: [], tokens: 0 };

  /** A message of the log keeps its count with its entry, which may come from a store. */
  const tokensIn = (message: Message, entries: readonly Position[]): number => {
    const at = entries.find((position) => log.entries[position]!.message === message);
    if (at === undefined) return counts(message);
    const entry = log.entries[at]!;
    entry.tokens ??= counter.message(message);
    return entry.tokens;
  };
  const shown = (exchange: Exchange, form: Form | undefined): Shown => {
    const { first: at, revision } = exchange;
    const entries = membersOf(exchange);
    const messages = form?.messages ?? log.legal(exchange);
    const tokens = messages.reduce((sum, message) => sum + tokensIn(message, entries), 0);
    return { at, entries, messages, tokens, revision, changes: form?.changes ?? [], form };
  };
  const whole = (exchange: Exchange): Shown => {
    const found = wholeShown(log.legal(exchange), () => shown(exchange, undefined));
    wholeTokens[found.at] = found.tokens;
    return found;
  };
  const inForm = (exchange: Exchange, form: Form | undefined): Shown =>
    form === undefined ? whole(exchange) : inForms(form, () => shown(exchange, form));

  const cappedForm = (exchange: Exchange): Form | undefined => {
    const entries = membersOf(exchange);
    const changes: Change[] = [];
    const messages = log.legal(exchange).map((message) => {
      if (message.role !== "tool" && message.role !== "system") return message;
      const isLong = surelyLong(message, cap);
      const before = isLong ? undefined : tokensIn(message, entries);
      if (before !== undefined && before <= Math.min(cap * SLACK, LARGEST_RESULT)) return message;
      const capped = capMessage(message, { maxTokens: cap, counter: (text) => counter.text(text) });
      if (capped === message) return message;
      changes.push({
        at: entries.find((position) => log.entries[position]!.message === message) ?? entries[0]!,
        fate: "shortened",
        reason: "larger than its share of the window",
        tokensBefore: before ?? estimated(message, counter),
        tokensAfter: counts(capped),
        estimated: isLong,
      });
      return capped;
    });
    const entry = log.entries[exchange.first]!.id;
    return changes.length === 0 ? undefined : { entry, revision: exchange.revision, messages, changes };
  };

  const fresh = (exchange: Exchange): Shown => {
    const found = freshShown(log.legal(exchange), () => inForm(exchange, cappedForm(exchange)));
    freshTokens[found.at] = found.tokens;
    return found;
  };

  return {
    log,
    counter,
    cap,
    get identifiers() {
      identifiers ??= new IdentifierIndex(Math.max(log.start, readFrom(log.entries.length)));
      return identifiers;
    },
    get importance() {
      importance ??= new ImportanceIndex(log, this.identifiers);
      return importance;
    },
    tokens: counts,
    toolTokens: (list) => {
      const isSame = list.length === tools.list.length && list.every((tool, at) => tool === tools.list[at]);
      if (!isSame) tools = { list: [...list], tokens: list.length === 0 ? 0 : counter.tools(list) };
      return tools.tokens;
    },
    said: (role, content) => {
      const key = `${role}\n${content}`;
      const message: Message = said.get(key) ?? Object.freeze({ role, content });
      said.delete(key);
      said.set(key, message);
      if (said.size > MOST_SAID) said.delete(said.keys().next().value!);
      return message;
    },
    counted: (at) => freshTokens[at] ?? wholeTokens[at],
    fresh: (exchange) => (exchange.kind === "calls" || exchange.kind === "system" ? fresh(exchange) : whole(exchange)),
    inForm,
    unthought: silent,
    rendered,
    shrinker: ({ messages, tokens }) => shrinkers(messages, () => shrinkerOf(messages, counter, tokens)),
    facts,
    hash,
  };
}

/** Keeps what was found of an object for as long as the object is there. */
function memo<K extends object, V>(find?: (key: K) => V): (key: K, make?: () => V) => V {
  const known = new WeakMap<K, V>();
  return (key, make) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = make === undefined ? find!(key) : make();
    known.set(key, found);
    return found;
  };
}

/** Of the text as JSON, so that another process finds the same. */
export function hashOf(value: object): number {
  const text = JSON.stringify(value);
  let hash = text.length;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

function withoutThought(given: Shown, tokens: (message: Message) => number): Shown {
  const messages = given.messages.map(withoutReasoning);
  const changed = [...messages.keys()].filter((at) => messages[at] !== given.messages[at]);
  if (changed.length === 0) return given;
  const totalOf = (list: readonly Message[]) => changed.reduce((sum, at) => sum + tokens(list[at]!), 0);
  const [tokensBefore, tokensAfter] = [totalOf(given.messages), totalOf(messages)];
  const reason = "its reasoning is bound to a prefix that is no longer sent";
  const change: Change = { at: given.at, fate: "unthought", reason, tokensBefore, tokensAfter, estimated: false };
  return { ...given, messages, tokens: given.tokens - tokensBefore + tokensAfter, changes: [...given.changes, change] };
}

function surelyLong({ role, content }: Message, cap: number): boolean {
  const part = role === "tool" && content.length === 1 ? content[0] : undefined;
  const output = part?.type === "tool-result" ? part.output : undefined;
  return (output?.type === "text" || output?.type === "error-text") && output.value.length > cap * SURELY_LONG;
}

/** Tokens of results too long to be counted whole. */
function estimated(message: Message, counter: TokenCounter): number {
  if (message.role !== "tool") return counter.message(message);
  const texts = message.content.map((part) => (part.type === "tool-result" ? outputText(part.output) : ""));
  return texts.reduce((sum, text) => sum + measureTokens(text, (piece) => counter.text(piece)), 0);
}
