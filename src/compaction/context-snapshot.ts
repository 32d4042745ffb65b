import { z } from "zod";
import { invalidOption } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { checkMessages } from "../message/seal-message.js";
import type { Message } from "../message/types.js";
import { checkCounter, type TokenCounter } from "../tokens/counter.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { countMessages } from "../view/count-messages.js";
import { messageSchema } from "./message-schema.js";
import { parseDocument } from "./parse-document.js";
import { plainMessage } from "./plain-message.js";

/** A serialised context, enough to go on from after a restart. */
export interface ContextSnapshot {
  version: "1.0";
  /** Milliseconds since the epoch. */
  timestamp: number;
  /** Tokens of the messages. */
  tokenCount: number;
  /** All of them, in order. */
  messages: Message[];
  /** The summary of what came before them. */
  summary?: string;
}

export interface ContextSnapshotOptions {
  readonly messages: readonly Message[];
  readonly summary?: string;
  readonly counter?: TokenCounter;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const OPTIONS: OptionNames<ContextSnapshotOptions> = { messages: true, summary: true, counter: true, now: true };

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
  checkSnapshotOptions(options);
  const { messages, summary, counter, now } = options;
  return {
    version: "1.0",
    timestamp: now,
    tokenCount: countMessages(messages, counter === undefined ? createTokenCounter() : checkCounter(counter)),
    messages: messages.map(plainMessage),
    ...(summary !== undefined && { summary }),
  };
}

function checkSnapshotOptions(options: ContextSnapshotOptions): void {
  const { messages, summary, now } = checkNames(options, OPTIONS, "contextSnapshot");
  checkMessages(messages);
  if (!Number.isFinite(now))
    throw invalidOption({
      option: "now",
      value: now,
      allowed: "milliseconds since the epoch, as Date.now() tells them",
    });
  if (summary !== undefined && typeof summary !== "string")
    throw invalidOption({ option: "summary", value: summary, allowed: "a text" });
}

const schema: z.ZodType<ContextSnapshot> = z.strictObject({
  version: z.literal("1.0"),
  timestamp: z.number(),
  tokenCount: z.int().nonnegative(),
  messages: z.array(messageSchema),
  summary: z.string().optional(),
});

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
