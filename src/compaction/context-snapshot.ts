import { z } from "zod";
import { toBase64 } from "../message/base64.js";
import { checkMessages } from "../message/seal-message.js";
import type { Message } from "../message/types.js";
import { checkCounter, type TokenCounter } from "../tokens/counter.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { countMessages } from "../view/count-messages.js";
import { checkedOptions, milliseconds } from "../view/strategies/check-options.js";
import { messageSchema } from "./message-schema.js";
import { parseDocument } from "./parse-document.js";

const fields = z.strictObject({
  messages: z.custom<readonly Message[]>(() => true),
  summary: z.string("a text").optional(),
  counter: z.custom<TokenCounter>().optional(),
  now: milliseconds,
});
export type ContextSnapshotOptions = Readonly<z.input<typeof fields>>;

const schema = z.strictObject({
  version: z.literal("1.0"),
  /** Milliseconds since the epoch. */
  timestamp: z.number(),
  /** Tokens of the messages. */
  tokenCount: z.int().nonnegative(),
  /** All of them, in order. */
  messages: z.array(messageSchema),
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
    messages: JSON.parse(JSON.stringify(messages, withBase64)),
    ...(summary !== undefined && { summary }),
  };
}

/** Bytes as base64; `this` holds the value as it was before it wrote itself. */
function withBase64(this: unknown, key: string, value: unknown): unknown {
  const held = Object(this)[key];
  if (held instanceof ArrayBuffer) return toBase64(new Uint8Array(held));
  return held instanceof Uint8Array ? toBase64(held) : value;
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
