import { membersOf } from "../message/exchanges.js";
import type { Log } from "../message/log.js";
import type { Message, ToolPart } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";
import type { Form, ShortenedMessage, ShownExchange } from "./shown.js";
import { replaceOutput } from "./shrink-part.js";

/** A line that stands in place of a tool's output. */
export interface Mark {
  /** Position of the message with the output, and the call that it answers. */
  readonly at: number;
  readonly call: string;
  readonly fate: "superseded" | "cleared";
  readonly reason: string;
  readonly text: string;
}

export interface MarkInput {
  readonly log: Log;
  readonly counter: TokenCounter;
  /** Index of the exchange. Its messages are those of the log, none repaired. */
  readonly exchange: number;
  readonly shown: ShownExchange;
  readonly marks: readonly Mark[];
}

/** An exchange with marks in place of outputs. */
export interface MarkedForm extends Form {
  readonly marks: readonly Mark[];
}

/** Such exchanges by the position at which they open. Made at a cut, kept until the next. */
export type MarkedForms = ReadonlyMap<number, MarkedForm>;

/** A message of fewer tokens than this is left alone, and one of which a mark would save fewer than that. */
const LEAST_MARKED = 60;
const LEAST_SAVED = 24;

/** The exchange with marks in place of outputs; undefined where no mark saves enough. Calls and pairs stay as they are. */
export function markExchange({ log, counter, exchange, shown, marks }: MarkInput): MarkedForm | undefined {
  const found = log.exchanges[exchange]!;
  const members = membersOf(found);
  const changed = new Map<number, ShortenedMessage>();
  const messages = shown.messages.map((message, place) => {
    const at = members[place]!;
    const marked = withMarks(
      message,
      marks.filter((mark) => mark.at === at),
    );
    if (marked === undefined) return message;
    const { message: original, tokens } = log.entries[at]!;
    const tokensBefore = message === original && tokens !== undefined ? tokens : counter.message(message);
    if (tokensBefore < LEAST_MARKED) return message;
    const tokensAfter = counter.message(marked.message);
    if (tokensBefore - tokensAfter < LEAST_SAVED) return message;
    const { fate, reason } = marked.mark;
    changed.set(at, { at, tokensBefore, tokensAfter, estimated: false, fate, reason });
    return marked.message;
  });
  if (changed.size === 0) return undefined;
  const others = shown.shortened.filter(({ at }) => !changed.has(at));
  return { revision: found.revision, messages, shortened: [...others, ...changed.values()], marks };
}

function withMarks(message: Message, marks: readonly Mark[]): { message: Message; mark: Mark } | undefined {
  const [mark] = marks;
  if (mark === undefined || message.role !== "tool") return undefined;
  const replace = (part: ToolPart): ToolPart => {
    const found = part.type === "tool-result" && marks.find(({ call }) => call === part.toolCallId);
    return found ? replaceOutput(part, found.text) : part;
  };
  return { message: { ...message, content: message.content.map(replace) }, mark };
}
