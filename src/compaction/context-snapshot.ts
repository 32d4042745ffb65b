import { z } from "zod";
import { messageFault } from "../message/check-message.js";
import { frozenCopy, isObject } from "../message/plain-value.js";
import { checkMessages } from "../message/seal-message.js";
import type { Message } from "../message/types.js";
import { checkCounter, type TokenCounter } from "../tokens/counter.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { countMessages } from "../view/count-messages.js";
import { checkedOptions, milliseconds } from "../view/strategies/check-options.js";
import { parseDocument } from "./parse-document.js";

const fields = z.strictObject({
  messages: z.custom<readonly Message[]>(() => true),
  summary: z.string("a text").optional(),
  counter: z.custom<TokenCounter>().optional(),
  now: milliseconds,
});
export type ContextSnapshotOptions = Readonly<z.input<typeof fields>>;

const message = z
  .unknown()
  .superRefine((value, context) => {
    const fault = messageFault(value);
    if (fault !== undefined)
      context.addIssue({ code: "custom", message: `the message ${fault.problem}`, path: [...fault.path] });
  })
  .transform((value) => withAddresses(value as Message));

/** JSON has no addresses: those of files become URLs again. */
function withAddresses(message: Message): Message {
  if (typeof message.content === "string") return message;
  const content = message.content.map((part) => {
    const data: unknown = part.type === "file" ? part.data : undefined;
    const isAddress = isObject(data) && data.type === "url" && typeof data.url === "string" && URL.canParse(data.url);
    return isAddress ? { ...part, data: { ...data, url: new URL(data.url as string) } } : part;
  });
  return { ...message, content } as Message;
}

const schema = z.strictObject({
  version: z.literal("1.0"),
  /** Milliseconds since the epoch. */
  timestamp: z.number(),
  /** Tokens of the messages. */
  tokenCount: z.int().nonnegative(),
  /** All of them, in order. */
  messages: z.array(message),
  /** The summary of what came before them. */
  summary: z.string().optional(),
});

/** A serialised context, enough to go on from after a restart. */
export type ContextSnapshot = z.infer<typeof schema>;

/**
 * A snapshot of a context, as plain data: `JSON.stringify` loses nothing of it.
 *
 * @example
 * ```ts
 * const snapshot = contextSnapshot({ messages: [{ role: "user", content: "Hello" }], now: Date.now() });
 * parseContextSnapshot(JSON.parse(JSON.stringify(snapshot))).messages; // [{ role: "user", content: "Hello" }]
 * ```
 */
export function contextSnapshot(options: ContextSnapshotOptions): ContextSnapshot {
  const { messages, summary, counter, now } = checkedOptions("contextSnapshot", fields, options);
  checkMessages(messages);
  return {
    version: "1.0",
    timestamp: now,
    tokenCount: countMessages(messages, counter === undefined ? createTokenCounter() : checkCounter(counter)),
    messages: JSON.parse(JSON.stringify(frozenCopy(messages))),
    ...(summary !== undefined && { summary }),
  };
}

/**
 * Checks that a value is a snapshot, such as the parsed text of a file, and returns it ready for use. The error says
 * where it is not, and what stands there.
 *
 * @example
 * ```ts
 * const { messages } = parseContextSnapshot(JSON.parse(text));
 * ```
 */
export function parseContextSnapshot(value: unknown): ContextSnapshot {
  return parseDocument(schema, value, {
    name: "snapshot",
    hint: 'Only snapshots of version "1.0" can be read; take the one before it if this one is damaged.',
  });
}
