import type { VarveError } from "../errors.js";
import type { AssistantMessage, Message, ToolDefinition } from "../message/types.js";
import type { Completion, LanguageModel } from "./language-model.js";

/** A conversation to go on with: what a view holds, ready to be sent. */
export interface StreamRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDefinition[];
  readonly maxOutputTokens?: number;
  readonly signal?: AbortSignal;
}

/** What the provider counted. Cached input is part of the input. */
export interface StreamUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** How an answer ended. */
export interface StreamEnd {
  /** All of it, ready to be appended to a session. */
  readonly message: AssistantMessage;
  readonly finish: Completion["finish"] | "tool-calls";
  readonly usage: StreamUsage;
}

/**
 * An answer piece by piece. `answer-end` comes last, and once. `answer-restart` comes where an attempt failed and another
 * follows after the wait: the pieces before it are void.
 */
export type StreamEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  | { readonly type: "tool-call-start"; readonly id: string; readonly name: string }
  | { readonly type: "tool-call-delta"; readonly id: string; readonly text: string }
  | { readonly type: "answer-restart"; readonly error: VarveError; readonly wait: number }
  | ({ readonly type: "answer-end" } & StreamEnd);

/** A model that answers piece by piece, and calls tools. */
export interface StreamingModel extends LanguageModel {
  /** Fails with a VarveError, `context-overflow` where the request did not fit the window. */
  stream(request: StreamRequest): AsyncIterable<StreamEvent>;
}
