import { requestsIn } from "./approvals.js";
import { endsInReasoning, isBlank } from "./content.js";
import { CustomCalls, type Linked } from "./custom-calls.js";
import { CallLookup, hasDistinctIds, NO_CALLS, type PairedCall, pairedCalls } from "./paired-calls.js";
import type { ExchangePlace, Position } from "./positions.js";
import { checkMessages } from "./seal-message.js";
import { type CallIn, TurnCalls } from "./turn-calls.js";
import type { AssistantMessage, AssistantPart, History, Message, ToolPart, ToolResultPart } from "./types.js";

/**
 * Exchanges are the smallest unit a view may leave out: splitting one makes the provider refuse the request.
 *
 * Calls and results are matched by position and id together. Recordings of real agents use an id again for another
 * call, leave calls unanswered, answer twice, and interleave; a map from id to call would pair the wrong ones.
 * A result belongs to the latest exchange if that holds its id, else to the latest older call still waiting for it; one
 * with a blank id to the first call of its tool that waits in the turn, or where nobody called that tool to the one that
 * it likely means. An answer to a request for approval belongs to the exchange that asked, and a message with the answer
 * to a custom call to the exchange of that call.
 */
export interface Exchange {
  /** Where the message stands that opens it. */
  readonly first: Position;
  readonly kind: "system" | "user" | "assistant" | "calls" | "blank" | "orphan";
  /** Its messages are those from `first` up to here, without it, and those in `scattered`. */
  end: Position;
  /** Messages with results of it that do not stand right behind it, ascending. */
  scattered: Position[] | undefined;
  /** Those of its messages behind the first that are the assistant's, ascending: they answer custom calls in it. */
  continued: Position[] | undefined;
  /** Parts of its messages that answer custom calls which nobody made, and the messages: held, they stay the same objects. */
  strays: ReadonlyMap<AssistantPart, Message> | undefined;
  /**
   * The calls with their results; dropped once it is complete, clean, without requests for approval and followed by
   * others: it can change no more.
   */
  calls: readonly PairedCall[];
  /** How many of the calls still wait. */
  waiting: number;
  /** False once a result came late, twice, in the message of its call or in one shared with another exchange. */
  clean: boolean;
  /** True once a result with a blank id answered one of its calls: it is shown with the id of that. */
  blankIds: boolean;
  /** True where something that the assistant says in it must not be sent: an answer to nobody, or reasoning at the end. */
  misspoken: boolean;
  /** True while it ends the conversation and holds an answer to a request for approval: what was approved may yet run. */
  approving: boolean;
  /** Grows with every change, so that what was derived from it can be kept until then. */
  revision: number;
  /** Number of the turn it belongs to; 0 before the first user message. */
  readonly turn: number;
}

/** A message with a result that came late, and where its exchange opens. */
export interface LateResult {
  readonly at: Position;
  readonly first: Position;
}

/** Whether a view can show anything of an exchange. */
export const isVisible = ({ kind }: Exchange): boolean => kind !== "blank" && kind !== "orphan";

/** Indices of all messages of an exchange: the opening one, then those that hold its results, ascending. */
export function membersOf({ first, end, scattered }: Exchange): Position[] {
  const members: Position[] = [];
  for (let at = first; at < end; at++) members.push(at);
  return scattered === undefined ? members : members.concat(scattered);
}

/** A list of messages as a history. */
export const historyOf = (messages: readonly Message[]): History => ({ messageAt: (position) => messages[position]! });

/** Groups messages into exchanges as they arrive; each message costs the same however long the log is. */
export class ExchangeIndex {
  readonly exchanges: Exchange[] = [];
  /** For each turn, the exchange of its user message. Turn 0 has none. */
  readonly turnHeads: ExchangePlace[] = [-1];
  /** The visible exchanges, ascending. */
  readonly visible: ExchangePlace[] = [];
  /** Messages with results that do not stand right behind their exchange, ascending; once for each exchange. */
  readonly late: LateResult[] = [];
  /** The latest exchange with calls, and whether only tool messages came since. */
  #latest: Exchange | undefined;
  #lookup = new CallLookup(NO_CALLS);
  #contiguous = false;
  /** Whether the latest exchange with calls may grow by approvals or custom answers, and whether nothing was said since. */
  #grows = false;
  #last = false;
  /** The exchanges that ask for approvals, by the id of each request. */
  readonly #asking = new Map<string, Exchange>();
  readonly #custom = new CustomCalls<Exchange>();
  readonly #turnCalls = new TurnCalls<Exchange>(this.exchanges);
  #waiting = new Map<string, CallIn<Exchange>[]>();
  /** How many calls of an exchange were looked through for `#waiting`. */
  readonly #kept = new Map<Exchange, number>();
  /** The tools that were called. */
  readonly #called = new Set<string>();

  /** Takes the message at a position of the log; positions come in order. */
  push(message: Message, index: number): void {
    if (message.role === "tool") this.#pushResults(message, index);
    else this.#open(message, index);
  }

  #open(message: Exclude<Message, { role: "tool" }>, index: number): void {
    this.#contiguous = false;
    const calls = message.role === "assistant" ? pairedCalls(message, index) : NO_CALLS;
    const linked = message.role === "assistant" ? this.#linked(message) : undefined;
    if (linked?.owner !== undefined) {
      if (endsSilent(message)) linked.owner.misspoken = true;
      this.#continue(linked.owner, { index, calls, linked, message });
      return;
    }
    const requests = requestsIn(message);
    const grows = requests.length > 0 || (linked !== undefined && linked.calls.length > 0);
    const kind = calls.length > 0 || grows ? "calls" : silence(message, linked);
    if (kind === "user") this.turnHeads.push(this.exchanges.length);
    if (kind !== "blank" && kind !== "orphan") this.#endApproval();
    const exchange = this.#add(index, kind, calls);
    if (kind === "calls") this.#startCalls(exchange, grows);
    for (const { approvalId } of requests) this.#asking.set(approvalId, exchange);
    if (endsSilent(message)) exchange.misspoken = true;
    if (linked !== undefined) this.#link(exchange, linked, message);
  }

  #linked({ content }: AssistantMessage): Linked<Exchange> | undefined {
    return typeof content === "string" ? undefined : this.#custom.answer(content);
  }

  #link(exchange: Exchange, { calls, strays }: Linked<Exchange>, message: Message): void {
    this.#custom.wait(calls, exchange);
    if (strays.size === 0) return;
    exchange.strays = new Map([...(exchange.strays ?? []), ...Array.from(strays, (part) => [part, message] as const)]);
    exchange.misspoken = true;
  }

  /** The assistant goes on with an exchange. Its calls there that still wait are none of the latest message any more. */
  #continue(exchange: Exchange, { index, calls, linked, message }: Continuation): void {
    this.#endApproval();
    if (exchange.continued === undefined) exchange.continued = [index];
    else exchange.continued.push(index);
    this.#join(exchange, index, exchange.waiting === 0);
    this.#link(exchange, linked, message);
    if (calls.length === 0) return;
    if (this.#latest !== undefined) this.#leave(this.#latest);
    addCalls(exchange, calls);
    const waiting = waitingIn(calls);
    exchange.waiting += waiting;
    if (waiting < calls.length || !hasDistinctIds(calls)) exchange.clean = false;
    this.#turnCalls.reset();
    this.#enter(exchange, calls);
    this.#grows = true;
  }

  #endApproval(): void {
    this.#last = false;
    if (!this.#latest?.approving) return;
    this.#latest.approving = false;
    this.#latest.revision++;
  }

  #startCalls(exchange: Exchange, grows: boolean): void {
    const before = this.#latest;
    if (before !== undefined) this.#leave(before);
    exchange.waiting = waitingIn(exchange.calls);
    exchange.clean = exchange.waiting === exchange.calls.length && hasDistinctIds(exchange.calls);
    this.#turnCalls.called(exchange, before);
    this.#enter(exchange, exchange.calls);
    this.#grows = grows;
  }

  /** Another message calls: what waits in this exchange may still be answered, else it changes no more. */
  #leave(exchange: Exchange): void {
    if (exchange.waiting > 0) this.#keepWaiting(exchange);
    else if (exchange.clean && !exchange.blankIds && !this.#grows) exchange.calls = NO_CALLS;
  }

  #enter(exchange: Exchange, calls: readonly PairedCall[]): void {
    this.#latest = exchange;
    this.#lookup = new CallLookup(calls);
    for (const { part } of calls) this.#called.add(part.toolName);
    this.#contiguous = true;
    this.#last = true;
  }

  #add(first: number, kind: Exchange["kind"], calls: readonly PairedCall[]): Exchange {
    const exchange: Exchange = {
      first,
      kind,
      end: first + 1,
      scattered: undefined,
      continued: undefined,
      strays: undefined,
      calls,
      waiting: 0,
      clean: true,
      blankIds: false,
      misspoken: false,
      approving: false,
      revision: 0,
      turn: this.turnHeads.length - 1,
    };
    if (isVisible(exchange)) this.visible.push(this.exchanges.length);
    this.exchanges.push(exchange);
    return exchange;
  }

  #keepWaiting(exchange: Exchange): void {
    const { calls } = exchange;
    const start = this.#kept.get(exchange) ?? 0;
    this.#kept.set(exchange, calls.length);
    for (let at = start; at < calls.length; at++) {
      const call = calls[at]!;
      if (call.answerMessage >= 0) continue;
      const list = this.#waiting.get(call.part.toolCallId);
      if (list === undefined) this.#waiting.set(call.part.toolCallId, [{ exchange, call }]);
      else list.push({ exchange, call });
    }
  }

  #pushResults(message: Extract<Message, { role: "tool" }>, index: number): void {
    const { content } = message;
    this.#turnCalls.answered();
    const owner = content.length > 0 ? this.#ownerOf(content[0]!, index, 0) : undefined;
    let shared = false;
    let orphaned = owner === undefined;
    for (let at = 1; at < content.length; at++) {
      const other = this.#ownerOf(content[at]!, index, at);
      if (other === owner) continue;
      shared = true;
      if (other === undefined) orphaned = true;
      else soil(other);
    }
    if (shared && owner !== undefined) soil(owner);
    if (orphaned) this.#add(index, "orphan", NO_CALLS);
  }

  #ownerOf(part: ToolPart, message: number, at: number): Exchange | undefined {
    if (part.type === "tool-result") return this.#answer(part, message, at);
    const asking = this.#asking.get(part.approvalId);
    if (asking === undefined) return undefined;
    const isLatest = asking === this.#latest;
    asking.approving = isLatest && this.#last;
    return this.#join(asking, message, isLatest && this.#contiguous);
  }

  /** Finds the call a result answers, and says which exchange that is; undefined for an orphan. */
  #answer(part: ToolResultPart, message: number, at: number): Exchange | undefined {
    const latest = this.#latest;
    if (latest === undefined) return undefined;
    const call = this.#lookup.find(part.toolCallId);
    if (call === undefined && part.toolCallId === "") return this.#answerByName(part.toolName, message, at);
    if (call === undefined) return this.#answerLate(part.toolCallId, message, at);
    if (call.answerMessage < 0) return this.#settle({ exchange: latest, call }, message, at);
    const surplus = call.guessed ? call.answerMessage : message;
    if (call.surplus === undefined) call.surplus = [surplus];
    else call.surplus.push(surplus);
    if (call.guessed) answer(call, message, at);
    call.guessed = false;
    return this.#join(latest, message, false);
  }

  #answerByName(name: string, message: number, at: number): Exchange | undefined {
    const named = this.#turnCalls.find(name);
    const found = named ?? (this.#called.has(name) ? undefined : this.#turnCalls.likely(name));
    if (found === undefined) return this.#answerLate("", message, at);
    found.call.guessed = named === undefined;
    found.exchange.blankIds = true;
    if (found.exchange !== this.#latest) found.exchange.clean = false;
    return this.#settle(found, message, at);
  }

  #answerLate(id: string, message: number, at: number): Exchange | undefined {
    const list = this.#waiting.get(id);
    let found = list?.pop();
    // A result with a blank id may have answered it.
    while (found !== undefined && found.call.answerMessage >= 0) found = list?.pop();
    if (list?.length === 0) this.#waiting.delete(id);
    if (found === undefined) return undefined;
    found.exchange.clean = false;
    return this.#settle(found, message, at);
  }

  #settle({ exchange, call }: CallIn<Exchange>, message: number, at: number): Exchange {
    answer(call, message, at);
    exchange.waiting--;
    return this.#join(exchange, message, exchange === this.#latest && this.#contiguous);
  }

  #join(exchange: Exchange, message: number, clean: boolean): Exchange {
    if (message === exchange.end) exchange.end++;
    else if (message > exchange.end && exchange.scattered?.at(-1) !== message) {
      if (exchange.scattered === undefined) exchange.scattered = [message];
      else exchange.scattered.push(message);
      this.late.push({ at: message, first: exchange.first });
    }
    if (!clean) exchange.clean = false;
    exchange.revision++;
    return exchange;
  }
}

interface Continuation {
  readonly index: number;
  readonly calls: readonly PairedCall[];
  readonly linked: Linked<Exchange>;
  readonly message: Message;
}

/** What a message without calls is. Answers to nobody say nothing. */
function silence(
  message: Exclude<Message, { role: "tool" }>,
  linked: Linked<Exchange> | undefined,
): Exclude<Exchange["kind"], "calls"> {
  const { strays } = linked ?? {};
  if (strays === undefined || strays.size === 0) return isBlank(message) ? "blank" : message.role;
  const content = (message.content as AssistantPart[]).filter((part) => !strays.has(part));
  return isBlank({ role: "assistant", content }) ? "orphan" : message.role;
}

const endsSilent = ({ role, content }: Message): boolean =>
  role === "assistant" && typeof content !== "string" && endsInReasoning(content);

/** The list of an exchange is its own, but for the one that stands for none. */
function addCalls(exchange: Exchange, calls: readonly PairedCall[]): void {
  if (exchange.calls === NO_CALLS) exchange.calls = [...calls];
  else for (const call of calls) (exchange.calls as PairedCall[]).push(call);
}

function answer(call: PairedCall, message: number, at: number): void {
  call.answerMessage = message;
  call.answerPart = at;
}

function soil(exchange: Exchange): void {
  exchange.clean = false;
  exchange.revision++;
}

function waitingIn(calls: readonly PairedCall[]): number {
  let waiting = 0;
  for (const call of calls) if (call.answerMessage < 0) waiting++;
  return waiting;
}

/**
 * Groups a whole list of messages into exchanges.
 *
 * @example
 * ```ts
 * const exchanges = toExchanges(fromOpenAI(messages));
 * exchanges.filter((exchange) => exchange.waiting > 0); // those with unanswered calls
 * ```
 */
export function toExchanges(messages: readonly Message[]): readonly Exchange[] {
  checkMessages(messages);
  const index = new ExchangeIndex();
  for (const [at, message] of messages.entries()) index.push(message, at);
  return index.exchanges;
}
