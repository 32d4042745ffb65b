import type { Receipt, ReceiptItem } from "../../compaction/receipt.js";
import { ShownExchanges } from "../../compaction/shown.js";
import type { View, ViewRequest } from "../../compaction/view.js";
import { membersOf } from "../../message/exchanges.js";
import { OPENER, type Repair, repairsOf } from "../../message/repair.js";
import type { Message } from "../../message/types.js";
import type { StrategyInput, Viewer } from "../strategy.js";
import { type Choice, type Composition, compose, leadOrTail, type Scene } from "./compose.js";
import { ContextBlock } from "./context-block.js";
import { type Counted, totalTokens } from "./counted.js";
import { type CutInput, findCut } from "./cut.js";
import { FixedBlockCounter, type FixedBlocks } from "./fixed.js";
import { floorExceeded } from "./floor.js";
import { fitLastTurn, fitsWithRequest, type LastTurn, leastTokens } from "./last-turn.js";
import { type Lead, leadOf } from "./lead.js";
import { receiptOf } from "./receipt.js";
import { EarlierRequests } from "./requests.js";
import type { StandIn, StandInInput } from "./stand-in.js";

export interface WindowPolicy {
  /** Names the strategy in receipts. */
  readonly name: string;
  /** Messages at the end that a cut spares as long as they fit. */
  readonly lockLast: number;
  /** Share of the usable tokens that one tool result may take. */
  readonly resultShare: number;
  /** Makes what stands in for the part before the cut. */
  readonly standIn: (input: StandInInput) => StandIn;
}

/** Share of the usable tokens for an earlier turn's request in front of the tail. */
const REQUEST_SHARE = 0.1;
/** Share of what the system prompt and the tools leave that the dynamic context may take. */
const CONTEXT_SHARE = 0.5;

/**
 * A window over one log. A view is, in this order: system messages, what stands in for the part that was left out,
 * pinned exchanges, the request of the turn in which the cut lies, and the tail of whole exchanges.
 */
export class WindowViewer implements Viewer {
  readonly #input: StrategyInput;
  readonly #policy: WindowPolicy;
  readonly #shown: ShownExchanges;
  readonly #requests: EarlierRequests;
  readonly #fixed: FixedBlockCounter;
  readonly #context: ContextBlock;
  readonly #standIn: StandIn;
  /** Entries whose shortening a receipt has reported. */
  readonly #reported = new Set<string>();
  /** Position in the log at which the tail starts. */
  #cut: number;
  /** Position up to which the stand-in speaks for the log. */
  #covered = -1;
  #leftOut = 0;
  #receipts = 0;

  constructor(input: StrategyInput, policy: WindowPolicy) {
    const { log, counter, budget } = input;
    const share = (part: number, least: number) => Math.max(least, Math.floor(budget.usable * part));
    this.#input = input;
    this.#policy = policy;
    this.#cut = input.cut ?? 0;
    this.#shown = new ShownExchanges({ log, counter, resultCap: share(policy.resultShare, 16) });
    this.#requests = new EarlierRequests({ log, shown: this.#shown, counter, maxTokens: share(REQUEST_SHARE, 24) });
    this.#fixed = new FixedBlockCounter(counter);
    this.#context = new ContextBlock(counter);
    this.#standIn = policy.standIn({ log, counter, budget, shown: this.#shown });
  }

  get cut(): number {
    return this.#cut;
  }

  async view(request: ViewRequest): Promise<View> {
    const { log, budget, archive } = this.#input;
    const previous = Math.max(this.#cut, log.start);
    const fixed = this.#fixed.measure(request, log, budget.usable);
    const composition = this.#hasHistory() ? await this.#compose(fixed, request) : this.#withoutHistory(fixed);
    const receipt = this.#receipt(composition, previous);
    if (archive !== undefined && this.#cut > previous) await archive(this.#between(previous, this.#cut));
    return {
      messages: composition.messages,
      tools: request.tools ?? [],
      tokens: composition.tokens,
      blocks: composition.blocks,
      budget,
      leftOut: this.#leftOut,
      entries: log.entries.length,
      receipt,
      repairs: this.#repairs(composition),
    };
  }

  #hasHistory(): boolean {
    return this.#input.log.exchanges.some((_, at) => this.#isVisible(at));
  }

  #scene(): Scene {
    const { log, counter, pinned } = this.#input;
    const pins = new Set(pinned().map((position) => log.exchangeHolding(position)));
    const last = log.exchanges.findLastIndex((_, at) => this.#isVisible(at));
    const latest = log.requestOf(last);
    const ordered = [...pins].filter((at) => at >= 0).sort((a, b) => a - b);
    return { log, counter, shown: this.#shown, requests: this.#requests, pinned: ordered, latest, last };
  }

  #isVisible(exchange: number): boolean {
    const { kind } = this.#input.log.exchanges[exchange]!;
    return kind === "user" || kind === "assistant" || kind === "calls";
  }

  #lead(scene: Scene, cut: number): Lead {
    return leadOf({ log: scene.log, pinned: scene.pinned, isVisible: (at) => this.#isVisible(at) }, cut);
  }

  #leadTokens(scene: Scene, cut: number): number {
    const { exchanges, needsOpener } = this.#lead(scene, cut);
    const opener = needsOpener ? scene.counter.message(OPENER) : 0;
    return exchanges.reduce((sum, at) => sum + leadOrTail(scene, at, cut).tokens, opener);
  }

  async #compose(fixed: FixedBlocks, request: ViewRequest): Promise<Composition> {
    const { budget, log } = this.#input;
    const space = budget.usable - fixed.system - fixed.tools;
    const context = this.#context.measure(request.context, Math.max(0, Math.floor(space * CONTEXT_SHARE)));
    const { scene, cut } = this.#plan(space - (context?.tokens ?? 0));
    const lead = this.#lead(scene, cut);
    await this.#moveTo(
      log.exchanges[cut]!.first,
      lead,
      space - (context?.tokens ?? 0) - this.#historyTokens(scene, cut),
    );
    const choice: Choice = { fixed, memory: this.#standIn.messages, context, lead, cut };
    const composition = compose(scene, choice);
    return composition.tokens <= budget.usable ? composition : this.#squeeze(scene, choice, space);
  }

  async #moveTo(position: number, lead: Lead, room: number): Promise<void> {
    const { log } = this.#input;
    if (position === this.#covered) return;
    const kept = lead.exchanges.flatMap((at) => membersOf(log.exchanges[at]!)).length;
    this.#cut = position;
    this.#covered = position;
    this.#leftOut = Math.max(0, position - log.start - kept);
    if (this.#leftOut > 0) await this.#standIn.moveTo({ position, leftOut: this.#leftOut, room });
  }

  /** Tokens of the tail from a cut on, with its lead. */
  #historyTokens(scene: Scene, cut: number): number {
    let tokens = this.#leadTokens(scene, cut);
    for (let at = cut; at <= scene.last; at++) if (this.#isVisible(at)) tokens += this.#shown.tokens(at);
    return tokens;
  }

  /** Finds the cut, and looks further back in the log as long as all that is known of it fits. */
  #plan(space: number): { scene: Scene; cut: number } {
    const { log } = this.#input;
    for (;;) {
      const scene = this.#scene();
      const { at, whole } = findCut(this.#cutInput(scene, space));
      const known = this.#cut >= log.horizon;
      if (!whole || known || !log.extend()) return { scene, cut: at };
    }
  }

  #cutInput(scene: Scene, space: number): CutInput {
    const { budget, log } = this.#input;
    const scale = (tokens: number) => Math.floor((space * tokens) / budget.usable);
    const previous = log.exchangeFrom(this.#cut);
    const start = log.exchangeFrom(log.start);
    const uncut = (at: number) => at <= start && log.horizon <= log.start;
    const standIn = (at: number) => (at === previous ? totalTokens(this.#standIn.messages) : this.#standIn.bound);
    return {
      first: start,
      last: scene.last,
      lockedFrom: log.exchangeFrom(log.entries.length - this.#policy.lockLast),
      previous,
      tokens: (at) => (this.#isVisible(at) ? this.#shown.tokens(at) : 0),
      lead: (at) => this.#leadTokens(scene, at) + (uncut(at) ? 0 : standIn(at)),
      trigger: scale(budget.trigger),
      target: scale(budget.target),
    };
  }

  /** The last turn alone is too large: the context and the note give way first, then the turn itself is shortened. */
  #squeeze(scene: Scene, choice: Choice, space: number): Composition {
    const { counter, budget } = this.#input;
    const { lead, fixed, cut } = choice;
    const request = lead.exchanges.filter((at) => at === scene.latest && !scene.pinned.includes(at));
    const pins = lead.exchanges
      .filter((at) => !request.includes(at))
      .reduce((sum, at) => sum + leadOrTail(scene, at, cut).tokens, 0);
    const opener = lead.needsOpener ? counter.message(OPENER) : 0;
    const turn: LastTurn = {
      request: request.flatMap((at) => this.#shown.at(at).messages),
      final: this.#shown.at(scene.last).messages,
    };
    const room = (extras: Extras) => space - pins - opener - totalTokens(extras.memory) - (extras.context?.tokens ?? 0);
    const options = this.#extras(choice);
    const extras = options.find((each) => fitsWithRequest(turn, room(each), counter)) ?? options.at(-1)!;
    const fitted = fitLastTurn(turn, room(extras), counter);
    const floor = { system: fixed.system, tools: fixed.tools, pins, lastTurn: leastTokens(turn, counter) + opener };
    if (fitted === undefined) throw floorExceeded(floor, budget);
    return compose(scene, { ...choice, ...extras, turn: fitted });
  }

  #extras({ context, memory }: Choice): Extras[] {
    const shorter = this.#standIn.shorter.map((less) => ({ context: undefined, memory: less }));
    return [{ context, memory }, { context: undefined, memory }, ...shorter, { context: undefined, memory: [] }];
  }

  #withoutHistory(fixed: FixedBlocks): Composition {
    const { budget } = this.#input;
    const tokens = fixed.system + fixed.tools;
    if (tokens > budget.usable)
      throw floorExceeded({ system: fixed.system, tools: fixed.tools, pins: 0, lastTurn: 0 }, budget);
    const blocks = [{ name: "system", tokens: fixed.system } as const, { name: "tools", tokens: fixed.tools } as const];
    return { messages: [...fixed.messages], tokens, blocks, exchanges: [], shortened: [] };
  }

  #receipt(composition: Composition, from: number): Receipt | undefined {
    const items = this.#newlyShortened(composition);
    if (this.#cut <= from && items.length === 0) return undefined;
    return receiptOf({
      id: `r${++this.#receipts}`,
      log: this.#input.log,
      shown: this.#shown,
      from,
      to: Math.max(from, this.#cut),
      kept: composition.exchanges.filter((at) => this.#input.log.exchanges[at]!.first < this.#cut),
      items,
      tokensAfter: composition.tokens,
      strategy: this.#policy.name,
      replacedBy: this.#standIn.messages.map(({ message }) => message.content).join("\n\n"),
    });
  }

  #newlyShortened({ shortened }: Composition): ReceiptItem[] {
    return shortened.flatMap(({ at, tokensBefore, tokensAfter }) => {
      const key = `${at}:${tokensAfter}`;
      if (this.#reported.has(key)) return [];
      this.#reported.add(key);
      const entry = this.#input.log.entries[at]?.id ?? "";
      return [
        { entry, fate: "shortened" as const, reason: "larger than its share of the window", tokensBefore, tokensAfter },
      ];
    });
  }

  #repairs({ exchanges }: Composition): Repair[] {
    const { log } = this.#input;
    return exchanges.flatMap((at) => repairsOf(log.exchanges[at]!, log.messages));
  }

  #between(from: number, to: number): Message[] {
    const { log } = this.#input;
    log.reach(from);
    const messages: Message[] = [];
    for (let at = log.exchangeFrom(from); at < log.exchangeFrom(to); at++) messages.push(...log.legal(at));
    return messages;
  }
}

interface Extras {
  readonly memory: readonly Counted[];
  readonly context: Counted | undefined;
}
