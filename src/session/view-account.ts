/**
 * How the latest view stood, as a document of its session, so that others can tell without opening it and without
 * knowing the system prompt and the tools that the application sends. It is written with the next append or reduction, or at
 * the end.
 */

import { messageText } from "../message/content.js";
import type { Message, Part } from "../message/types.js";
import type { Block } from "../view/block.js";
import type { Budget } from "../view/budget.js";
import type { NextCut } from "../view/next-cut.js";
import { isMedia } from "../view/shrink.js";
import type { View } from "../view/view.js";
import type { Documents } from "./stored-log.js";

export const ACCOUNT = "state/latest";

/** The account of the latest view, and what all views together have sent. */
export interface ViewAccount {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly strategy: string;
  readonly counter: string;
  /** How far the true count may lie above the counted one, as a share of it. */
  readonly errorBound: number;
  /** What reported usage corrects the count by; 1 where nothing does. */
  readonly factor: number;
  /** Reports of the provider that the correction goes by. */
  readonly reports: number;
  readonly budget: Budget;
  /** Entries of the log at the time, and those of them that the view did not show. */
  readonly entries: number;
  readonly leftOut: number;
  /** Sequence of the last entry; -1 where there was none. */
  readonly head: number;
  readonly tokens: number;
  readonly blocks: readonly Block[];
  /** Not known of views that 0.1.0 made. */
  readonly nextCut?: NextCut;
  /** Share of the history's text by role. */
  readonly roles: Readonly<Record<"user" | "assistant" | "tool", number>>;
  /** Views made, their tokens, and those of them, about, that repeated the beginning of the view before. */
  readonly views: number;
  readonly sent: number;
  readonly repeated: number;
}

/** What an account takes over from whoever made the view. */
export type AccountFacts = Omit<
  ViewAccount,
  "entries" | "leftOut" | "tokens" | "blocks" | "budget" | "roles" | "views" | "sent" | "repeated"
>;

/** Messages with the size of each; a list of our own, for that of a view is its reader's to change. */
interface Measured {
  readonly messages: readonly Message[];
  readonly sizes: readonly number[];
}

/** Characters of text that take about as many tokens as an image. */
const MEDIA_SIZE = 4_000;
const NOTHING: Measured = { messages: [], sizes: [] };

/** Follows the views of one session. Sizes are in characters: only shares are made of them. */
export class ViewAccounts {
  #latest: ViewAccount | undefined;
  /** What the latest view showed, and the one that was measured last. */
  #shown = NOTHING;
  #measured = NOTHING;

  get latest(): ViewAccount | undefined {
    return this.#latest;
  }

  /** Goes on with the account of another process, or with none. */
  restore(stored: unknown): void {
    this.#latest = stored as ViewAccount | undefined;
    this.#shown = NOTHING;
  }

  /** Writes an account, the latest one unless given, where it is not there already; removes the one there for none. */
  write(documents: Documents, account = this.#latest): void {
    if (documents.get(ACCOUNT) !== account) documents.set(ACCOUNT, account);
  }

  /** The account with one more view in it. */
  with({ tokens, blocks, budget, entries, leftOut, messages, plan }: View, facts: AccountFacts): ViewAccount {
    const { views = 0, sent = 0, repeated = 0 } = this.#latest ?? {};
    this.#measured = measure(messages, this.#measured);
    const view = { ...facts, budget, entries, leftOut, tokens, blocks, roles: rolesIn(this.#measured, plan) };
    const again = Math.round(tokens * repeatedShare(this.#measured, this.#shown));
    return { ...view, views: views + 1, sent: sent + tokens, repeated: repeated + again };
  }

  /** Takes an account over, once its view is handed out: that of the view that was measured last. */
  take(account: ViewAccount): void {
    this.#latest = account;
    this.#shown = this.#measured;
  }
}

/** What stands where it stood before is not measured again. */
function measure(messages: readonly Message[], before: Measured): Measured {
  const sizes = messages.map((message, at) => (message === before.messages[at] ? before.sizes[at]! : sizeOf(message)));
  return { messages: messages.slice(), sizes };
}

/** Share of a view that the view before it began with as well. */
function repeatedShare({ messages, sizes }: Measured, before: Measured): number {
  const other = messages.findIndex((message, at) => message !== before.messages[at]);
  const same = other < 0 ? sizes : sizes.slice(0, other);
  return sum(same) / Math.max(1, sum(sizes));
}

/** Of the history alone: notes and context have blocks of their own. */
function rolesIn({ messages, sizes }: Measured, { items }: View["plan"]): ViewAccount["roles"] {
  const roles = { user: 0, assistant: 0, tool: 0, system: 0 };
  const others = new Set(
    items.map((item) => (item.kind === "notes" || item.kind === "context" ? item.message : undefined)),
  );
  for (const [at, message] of messages.entries()) if (!others.has(message)) roles[message.role] += sizes[at]!;
  const { user, assistant, tool } = roles;
  const share = (size: number) => Number((size / Math.max(1, user + assistant + tool)).toFixed(4));
  return { user: share(user), assistant: share(assistant), tool: share(tool) };
}

const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);

const sizeOf = (message: Message): number => messageText(message).length + MEDIA_SIZE * mediaIn(message);

function mediaIn({ content }: Message): number {
  if (typeof content === "string") return 0;
  return (content as readonly Part[]).reduce((sum, part) => sum + mediaOf(part), 0);
}

function mediaOf(part: Part): number {
  if (part.type === "tool-result" && part.output.type === "content")
    return part.output.value.filter(({ type }) => type !== "text").length;
  return isMedia(part) ? 1 : 0;
}
