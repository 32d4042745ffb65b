export { type CompactContextOptions, compactContext, type DocumentCompaction } from "./compaction/context-compactor.js";
export {
  type ActiveTask,
  type ContextDocument,
  contextDocumentSchema,
  emptyContextDocument,
  type HistoryEntry,
  parseContextDocument,
} from "./compaction/context-document.js";
export {
  type ContextSnapshot,
  type ContextSnapshotOptions,
  contextSnapshot,
  parseContextSnapshot,
} from "./compaction/context-snapshot.js";
export {
  type CompactableContext,
  type CompactedReport,
  type CompactionReason,
  type ContextCompaction,
  type MaybeCompactOptions,
  maybeCompactContext,
} from "./compaction/maybe-compact-context.js";
export { pruneMessages } from "./compaction/prune-messages.js";
export { splitByTurns, type TurnSplit, takeLastTurns } from "./compaction/turns.js";
export { compactionOptions, sessionOptions, varveOptions } from "./config/configured.js";
export { configJsonSchema } from "./config/json-schema.js";
export type { ConfigSource, ConfigValue } from "./config/layer.js";
export { type LoadConfigOptions, type LoadedConfig, loadConfig } from "./config/load-config.js";
export { type LoadedPlugin, type LoadPluginsOptions, loadPlugins } from "./config/plugin.js";
export type { Config, ConfigFile } from "./config/schema.js";
export type { FindModel } from "./config/standard-strategies.js";
export type { TrustedWant, TrustRequest } from "./config/trust.js";
export { builtInEmbedder } from "./embed/built-in-embedder.js";
export type { Embedder, EmbedOptions } from "./embed/embedder.js";
export { type FetchModelOptions, fetchModel } from "./embed/fetch-model.js";
export { type OnnxEmbedderOptions, onnxEmbedder } from "./embed/onnx-embedder.js";
export { type OpenAIEmbedderOptions, openaiEmbedder } from "./embed/openai-embedder.js";
export { VarveError, type VarveErrorCode, type VarveErrorOptions } from "./errors.js";
export type { AuditOptions, MemoryAudit, Mended } from "./memory/auditing.js";
export type { EmbedOptions as EmbedAllOptions, EmbedProgress } from "./memory/embedding.js";
export type { Fact, FactKind } from "./memory/facts/fact.js";
export { type FactsOptions, factsOf } from "./memory/facts/facts-of.js";
export { type ModelFacts, type ModelFactsOptions, modelFacts } from "./memory/facts/model-facts.js";
export type { DropReason, Passage } from "./memory/facts/model-facts-check.js";
export { keptOf } from "./memory/facts/off-record.js";
export { type MemoryRequest, requestsIn } from "./memory/facts/requests.js";
export type { ForgetProof, ForgetReceipt } from "./memory/forgetting.js";
export type { ConfirmReceipt, ObserveReceipt, PendingRequest } from "./memory/heeding.js";
export type { MemoryList, MemoryListOptions } from "./memory/listing.js";
export type {
  EndedValue,
  EntryReference,
  Memory,
  MemoryDetails,
  MemoryFact,
  MemoryFilter,
  MemoryInput,
  Retrieved,
  RetrieveOptions,
  StoreReceipt,
} from "./memory/memory.js";
export type { ImportMemoriesOptions, ImportMemoriesReport } from "./memory/moving.js";
export type { MemoryOptions } from "./memory/open-memory.js";
export type { Evidence } from "./memory/ranking/rank.js";
export type { Retelling } from "./memory/retellings.js";
export type { ScopedMemory } from "./memory/scoped-memory.js";
export type { FactAddition } from "./memory/store-plan.js";
export type { PassagePlace } from "./memory/text/search-text.js";
export { type RenderedMemory, renderMemories, renderMemory } from "./memory/trust/render.js";
export { findSecrets, redact, type SecretSpan } from "./memory/trust/secrets.js";
export type { MemorySource } from "./memory/trust/source.js";
export type { Entry, Origin } from "./message/entry.js";
export { type Exchange, toExchanges } from "./message/exchanges.js";
export type { EntryId, Position } from "./message/positions.js";
export { type Repair, type RepairKind, repair } from "./message/repair.js";
export type {
  AnyTool,
  AssistantMessage,
  AssistantPart,
  CustomPart,
  FileData,
  FilePart,
  ImagePart,
  JSONValue,
  Message,
  Part,
  ProviderOptions,
  ReasoningFilePart,
  ReasoningPart,
  SystemMessage,
  TextPart,
  ToolApprovalRequest,
  ToolApprovalResponse,
  ToolCallPart,
  ToolContentPart,
  ToolDefinition,
  ToolMessage,
  ToolOutput,
  ToolPart,
  ToolResultPart,
  UserMessage,
  UserPart,
} from "./message/types.js";
export { type AISDKModelOptions, aiSdkModel } from "./model/ai-sdk-model.js";
export { type AnthropicOptions, anthropic } from "./model/anthropic.js";
export type { AttemptOptions } from "./model/attempts.js";
export type { Completion, CompletionRequest, LanguageModel } from "./model/language-model.js";
export { type OpenAICompatibleOptions, openaiCompatible } from "./model/openai-compatible.js";
export { classifyModelError, isContextOverflow, type ModelErrorKind } from "./model/overflow.js";
export type { StreamEnd, StreamEvent, StreamingModel, StreamRequest, StreamUsage } from "./model/streaming.js";
export { extractiveSummariser } from "./notes/extractive-summariser.js";
export type { EntryScore, ImportanceParts } from "./notes/importance.js";
export { modelSummariser } from "./notes/model-summariser.js";
export type { Note, NoteKind, Notes } from "./notes/notes.js";
export { summariseVerified, type VerifiedSummary } from "./notes/summarise-verified.js";
export type { Summariser, Summary, SummaryRequest } from "./notes/summariser.js";
export { type Fault, type FaultKind, type Verdict, verifySummary } from "./notes/verify.js";
export type { ObservationKind } from "./reduce/classify.js";
export type { CountTokens } from "./reduce/measure.js";
export { type ReducedObservation, type ReduceOptions, reduceObservation } from "./reduce/reduce-observation.js";
export { findSuperseded, type Superseded, type SupersededBy } from "./reduce/supersede.js";
export type { Checkpoint, CheckpointDiff } from "./session/checkpoint.js";
export { type ContextTool, contextTools } from "./session/context-tools.js";
export type {
  CompactionEvent,
  SummaryEvent,
  SummaryFallback,
  VarveEvents,
  VarveListener,
  ViewEvent,
  WarningEvent,
} from "./session/events.js";
export type { ExpandOptions, Expansion } from "./session/expand.js";
export type { ExportOptions } from "./session/export.js";
export type { Fork } from "./session/fork.js";
export type { ImportOptions, ImportReport } from "./session/import.js";
export type { SessionMemoryOptions } from "./session/memory/memory-options.js";
export type { SessionRequest } from "./session/memory/pending-requests.js";
export { openVarve, type Varve, type VarveOptions } from "./session/open-varve.js";
export type { Pin, PinEnd, PinOptions, PinOutcome } from "./session/pin.js";
export type { PrunedSession, PruneOptions, PruneReport } from "./session/prune.js";
export type { SearchHit } from "./session/search.js";
export type { Session } from "./session/session.js";
export type { SessionNotes } from "./session/session-notes.js";
export type { AppendOptions, CompactOptions, SessionOptions, SessionStatus } from "./session/session-options.js";
export type { SessionSummary } from "./session/session-summary.js";
export type { Recall, SnapshotOptions } from "./session/snapshots.js";
export type { SummariserFailure } from "./session/summariser-failure.js";
export type { TaskChange, TrackedChange } from "./session/tracked-change.js";
export type { ViewAccount } from "./session/view-account.js";
export { type FileOptions, fileStore } from "./store/drivers/file.js";
export { type ContextFiles, contextFiles } from "./store/drivers/file-context.js";
export { type LocalQueueOptions, localQueue } from "./store/drivers/local-queue.js";
export { memoryStore } from "./store/drivers/memory.js";
export { type PostgresStore, postgresStore } from "./store/drivers/postgres.js";
export type { PostgresOptions } from "./store/drivers/postgres-options.js";
export { type PostgresQueueOptions, postgresQueue } from "./store/drivers/postgres-queue.js";
export { type SqliteOptions, sqliteStore } from "./store/drivers/sqlite.js";
export type {
  Amendment,
  Found,
  Memories,
  MemoryChange,
  MemoryHit,
  MemoryOutcome,
  MemoryPage,
  MemoryQuestion,
  MemoryRow,
  NewMemory,
  Orphans,
  PassageTerms,
  Place,
  Redaction,
  RowVectors,
  Scope,
  ScopeParts,
} from "./store/memories/memories.js";
export type { EnqueueOptions, Job, JobHandler, Queue, Worker, WorkOptions } from "./store/queue.js";
export type {
  Change,
  CommitOutcome,
  KeyedAppend,
  ListOptions,
  ReadOptions,
  Removed,
  RepairReport,
  Replacement,
  ReplaceOutcome,
  SessionInfo,
  SessionPage,
  Store,
  StoredSession,
  VerifyOptions,
  VerifyReport,
} from "./store/store.js";
export type { VectorMatch } from "./store/vectors/best-matches.js";
export { type QuantisedVector, quantise } from "./store/vectors/quantise.js";
export { type ExactVector, rescore } from "./store/vectors/rescore.js";
export { type NearestOptions, type QuantisedRows, VectorTable } from "./store/vectors/vector-table.js";
export { type Calibration, calibrate, NO_CALIBRATION, type UsageReport } from "./tokens/calibration.js";
export type { TokenCounter } from "./tokens/counter.js";
export { createTokenCounter, type TokenCounterOptions } from "./tokens/create-token-counter.js";
export { findModel, type ModelInfo, type ModelPrice } from "./tokens/models.js";
export type { Block, BlockName } from "./view/block.js";
export type { Budget, BudgetOptions } from "./view/budget.js";
export { ContextBudget, type ContextBudgetOptions } from "./view/context-budget.js";
export { type CutTerms, cutEconomics, type Economics } from "./view/economics.js";
export type { NextCut } from "./view/next-cut.js";
export type { ExchangeItem, Form, MessageItem, Plan, PlanItem, ViewState } from "./view/plan.js";
export { planMessages } from "./view/plan-messages.js";
export { planView } from "./view/plan-view.js";
export type { PlanInput, Policy } from "./view/policy.js";
export type { Recalled } from "./view/recalled.js";
export type { EntryRun, Fate, Reach, Receipt, ReceiptItem } from "./view/receipt.js";
export { render } from "./view/render.js";
export type { WindowSettings } from "./view/settings.js";
export { type EntitiesOptions, type EntitiesStrategy, entities } from "./view/strategies/entities/entities.js";
export type { EntityState, JSONSchema } from "./view/strategies/entities/entity-schema.js";
export { type HierarchicalOptions, hierarchical } from "./view/strategies/hierarchical.js";
export { type ImportanceOptions, importance } from "./view/strategies/importance.js";
export { type BareContextManager, managedStrategy } from "./view/strategies/managed-strategy.js";
export { type RegisterOptions, registerStrategy, type StrategyFactory } from "./view/strategies/registry.js";
export { type SlidingWindowOptions, slidingWindow } from "./view/strategies/sliding-window.js";
export { type SummarizationOptions, summarization } from "./view/strategies/summarization.js";
export type {
  Archive,
  BackgroundOptions,
  BuiltInStrategy,
  ContextManager,
  LLMPayload,
  Strategy,
  Work,
  WorkInput,
} from "./view/strategy.js";
export type { View, ViewRequest } from "./view/view.js";
export { fromAISDK, toAISDK, toAISDKPrompt } from "./wire/ai-sdk.js";
export type {
  AISDKAssistantMessage,
  AISDKAssistantPart,
  AISDKMessage,
  AISDKPrompt,
  AISDKToolMessage,
  AISDKUserMessage,
} from "./wire/ai-sdk-types.js";
export { fromAnthropic, type ShownMessages, type ToAnthropicOptions, toAnthropic } from "./wire/anthropic.js";
export type { AnthropicBlock, AnthropicMessage, AnthropicPrompt } from "./wire/anthropic-types.js";
export { fromGemini, toGemini } from "./wire/gemini.js";
export type { GeminiContent, GeminiPart, GeminiPrompt } from "./wire/gemini-types.js";
export type { Violation } from "./wire/legality/violation.js";
export { PROVIDERS, type Provider, violations } from "./wire/legality/violations.js";
export { fromOpenAI, toOpenAI } from "./wire/openai-chat.js";
export type { OpenAIContentPart, OpenAIMessage, OpenAIToolCall } from "./wire/openai-chat-types.js";
export { fromOpenAIResponses, toOpenAIResponses } from "./wire/openai-responses.js";
export type { ResponsesItem } from "./wire/openai-responses-types.js";
export {
  detectFormat,
  readRecording,
  readRecordingStream,
} from "./wire/recordings/read-recording.js";
export {
  RECORDING_FORMATS,
  type ReadRecordingOptions,
  type RecordedConversation,
  type RecordedUsage,
  type Recording,
  type RecordingFormat,
  type RecordingWarning,
  type RecordingWarningKind,
} from "./wire/recordings/recording.js";
