/**
 * A view as plain data, before it is made: what each entry becomes, in how many tokens, and why. A plan can be printed,
 * stored, tested and refused; `render` makes messages of it, and the receipt is the difference of two.
 */
import type { EntryId, Position } from "../message/positions.js";
import type { Message, SystemMessage, UserMessage } from "../message/types.js";
import type { Block } from "./block.js";

/** What became of an entry that is shown otherwise than it was said. */
export interface Change {
  readonly at: Position;
  readonly fate: "shortened" | "superseded" | "cleared" | "unthought";
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Whether `tokensBefore` was extrapolated from samples. */
  readonly estimated: boolean;
}

/** How an exchange is shown where that is not as the log has it. It holds until the exchange itself changes. */
export interface Form {
  /** The entry that opens it: on another branch the same position is another one. */
  readonly entry: EntryId;
  readonly revision: number;
  readonly messages: readonly Message[];
  readonly changes: readonly Change[];
}

/** An exchange that the view shows. */
export interface ExchangeItem {
  readonly kind: "exchange";
  /** Where it opens, and all entries of it. */
  readonly at: Position;
  readonly entries: readonly Position[];
  readonly tokens: number;
  /** Why it stands in front of the tail, where it does. */
  readonly lead?: Lead;
  readonly form?: Form;
}

/** Why an exchange from before the cut is shown all the same. */
export type Lead = "pinned" | "request" | "thinking" | "instruction" | "important";

/** A message that is not of the log: the system prompt, the notes, the context, or one of a context manager. */
export interface MessageItem {
  readonly kind: "system" | "notes" | "context" | "opener" | "foreign";
  readonly message: Message;
  readonly tokens: number;
}

export type PlanItem = ExchangeItem | MessageItem;

/** A range of the log that notes stand for; its id opens it. */
export interface Cover {
  readonly id: string;
  readonly from: Position;
  /** Without it. */
  readonly to: Position;
  /** How often what stands for it was merged. */
  readonly level?: number;
}

/** What stands in for the part of the log before the cut. */
export interface Past {
  readonly message: UserMessage | SystemMessage;
  readonly tokens: number;
  readonly cut: Position;
  /** Entries before the cut that the view does not show. */
  readonly leftOut: number;
  /** What else it depends on. */
  readonly stamp: string;
  readonly covers: readonly Cover[];
  /** What its maker goes on from at the next cut. */
  readonly made: unknown;
}

/** What a plan shows of its log, in numbers: all that a receipt needs of it. */
export interface Showing {
  /** Where the conversation starts, and where the tail does. */
  readonly start: Position;
  readonly cut: Position;
  /** Exchanges from before the cut that are shown. */
  readonly lead: readonly Pick<ExchangeItem, "at" | "entries" | "tokens" | "lead">[];
  /** Late results behind the cut whose calls are left out. */
  readonly dropped: readonly Position[];
  readonly changes: readonly Change[];
  readonly covers: readonly Cover[];
  readonly context: { readonly whole: number; readonly shown: number } | undefined;
  readonly tokens: number;
  readonly notes: number;
  readonly notesWhole: boolean;
  readonly opener: number;
}

/** All that later views depend on. Plain data: a session stores it, and goes back to it. */
export interface ViewState {
  readonly version: 3;
  readonly cut: Position;
  /** Exchanges in front of the tail as this cut has them, but for the pinned ones. */
  readonly lead: readonly { readonly at: Position; readonly lead: Lead; readonly form?: Form }[];
  /** How exchanges are shown that are not shown as the log has them, by the position at which they open. */
  readonly forms: Readonly<Record<Position, Form>>;
  readonly past: Past | undefined;
  /** What was pinned: its lead and forms are not those that the cut has settled. */
  readonly pinned: readonly Position[];
  /** Where nothing stood in for the past, for want of room: nothing comes until the next cut. */
  readonly silent?: Pick<Past, "cut" | "leftOut" | "stamp"> | undefined;
  /** Entries that some view has had before it: their form is settled. */
  readonly seen: Position;
  /** Exchanges that open before this are shown without their reasoning: what stood in front of it is not sent any more. */
  readonly unthought: Position;
  /** What the newest reasoning was written under, where it is bound to that. */
  readonly sent: Sent | undefined;
  /** What the latest view sent, of so many entries: reasoning that has come since was written under it. */
  readonly latest: (Sent & { readonly entries: Position }) | undefined;
  readonly showing: Showing | undefined;
  /** What a strategy keeps of its own, such as prose that a model has written. */
  readonly own: unknown;
}

/** What a request began with: a number of messages, and a hash of the tools and of them. */
export interface Sent {
  readonly count: number;
  readonly hash: number;
}

export interface Plan extends Showing {
  readonly strategy: string;
  readonly items: readonly PlanItem[];
  readonly blocks: readonly Block[];
  /** Why it cuts; undefined where the view only grew. */
  readonly reason: string | undefined;
  /** True where the next view would be reduced again if it went on from the state before: nothing larger fits, or is shown. */
  readonly demanded?: boolean;
  /** Where it cuts, the tokens that a step adds, by the newest ones. */
  readonly growth: number | undefined;
  /** Tokens above which a view like this is reduced. */
  readonly trigger: number;
  /** Entries of the log, and those among them that are not shown. */
  readonly entries: number;
  readonly leftOut: number;
  /** What the next view goes on from. */
  readonly next: ViewState;
}

/** Where views of a log start from. */
export const freshState = (cut: Position, own?: unknown): ViewState => ({
  version: 3,
  cut,
  lead: [],
  forms: {},
  past: undefined,
  pinned: [],
  seen: 0,
  unthought: 0,
  sent: undefined,
  latest: undefined,
  showing: undefined,
  own,
});
