export { type Budget, type BudgetOptions, ContextBudget, type ContextBudgetOptions } from "./compaction/budget.js";
export type { Receipt, ReceiptItem } from "./compaction/receipt.js";
export type { WindowSettings } from "./compaction/settings.js";
export type { Block, BlockName, View, ViewRequest } from "./compaction/view.js";
export { VarveError, type VarveErrorCode } from "./errors.js";
export type { Entry, Origin } from "./message/entry.js";
export { type Exchange, toExchanges } from "./message/exchanges.js";
export type { Violation } from "./message/legality/violation.js";
export { type Provider, violations } from "./message/legality/violations.js";
export { type Repair, type RepairKind, repair } from "./message/repair.js";
export type {
  AssistantMessage,
  Message,
  SystemMessage,
  ToolDefinition,
  ToolMessage,
  UserMessage,
} from "./message/types.js";
export { reduceObservation } from "./reduce/reduce-observation.js";
export { openVarve, type Varve, type VarveOptions } from "./session/open-varve.js";
export type { Session, SessionOptions, SessionStatus } from "./session/session.js";
export type { Store } from "./store/store.js";
export { type SlidingWindowOptions, slidingWindow } from "./strategies/sliding-window/sliding-window.js";
export type { Archive, ContextManager, LLMPayload, Strategy } from "./strategies/strategy.js";
export type { TokenCounter } from "./tokens/counter.js";
export { createTokenCounter } from "./tokens/create-token-counter.js";
export { findModel } from "./tokens/models.js";
export { fromAISDK, toAISDK } from "./wire/ai-sdk.js";
export { fromAnthropic, toAnthropic } from "./wire/anthropic.js";
export { fromGemini, toGemini } from "./wire/gemini.js";
export { fromOpenAI, toOpenAI } from "./wire/openai-chat.js";
export { fromOpenAIResponses, toOpenAIResponses } from "./wire/openai-responses.js";
