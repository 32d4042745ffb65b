/**
 * How the latest view stood, as a document of its session, so that others can tell without opening it and without
 * knowing the system prompt and the tools that the application sends. It is written with the next append or reduction.
 */
import type { Budget } from "../compaction/budget.js";
import type { Block, View } from "../compaction/view.js";
import type { Message } from "../message/types.js";
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

/** Follows the views of one session. Sizes are in characters: only shares are made of them. */
export class ViewAccounts {
  readonly #sizes = new WeakMap<Message, number>();
  #latest: ViewAccount | undefined;
  #messages: readonly Message[] = [];

  /** Goes on with the account of another process, or with none. */
  restore(stored: unknown): void {
    this.#latest = stored as ViewAccount | undefined;
    this.#messages = [];
  }

  /** Writes an account, the latest one unless given, where it is not there already; removes the one there for none. */
  write(documents: Documents, account = this.#latest): void {
    if (documents.get(ACCOUNT) !== account) documents.set(ACCOUNT, account);
  }

  /** The account with one more view in it. */
  with({ tokens, blocks, budget, entries, leftOut, messages }: View, facts: AccountFacts): ViewAccount {
    const { views = 0, sent = 0, repeated = 0 } = this.#latest ?? {};
    const view = { ...facts, budget, entries, leftOut, tokens, blocks, roles: this.#roles(messages) };
    const again = Math.round(tokens * this.#repeatedShare(messages));
    return { ...view, views: views + 1, sent: sent + tokens, repeated: repeated + again };
  }

  /** Takes an account over, once its view is handed out. */
  take(account: ViewAccount, { messages }: View): void {
    this.#latest = account;
    this.#messages = messages;
  }

  /** Share of a view that the view before it began with as well. */
  #repeatedShare(messages: readonly Message[]): number {
    let whole = 0;
    let same = 0;
    let isSame = true;
    for (const [at, message] of messages.entries()) {
      const size = this.#size(message);
      isSame &&= message === this.#messages[at];
      whole += size;
      if (isSame) same += size;
    }
    return whole === 0 ? 0 : same / whole;
  }

  #roles(messages: readonly Message[]): ViewAccount["roles"] {
    const sizes = { user: 0, assistant: 0, tool: 0 };
    for (const message of messages) if (message.role !== "system") sizes[message.role] += this.#size(message);
    const whole = Math.max(1, sizes.user + sizes.assistant + sizes.tool);
    const share = (size: number) => Number((size / whole).toFixed(4));
    return { user: share(sizes.user), assistant: share(sizes.assistant), tool: share(sizes.tool) };
  }

  #size(message: Message): number {
    const known = this.#sizes.get(message) ?? sizeOf(message);
    this.#sizes.set(message, known);
    return known;
  }
}

const sizeOf = ({ content }: Message): number =>
  typeof content === "string" ? content.length : JSON.stringify(content).length;
