import type { AnyTool, Message } from "../../message/types.js";

/** The formats that `readRecording` knows, by the names that `format` takes. */
export const RECORDING_FORMATS = [
  "claude-code",
  "codex",
  "pi",
  "opencode",
  "gemini-cli",
  "specstory",
  "langsmith",
  "langfuse",
  "openai",
  "openai-responses",
  "anthropic",
  "gemini",
  "ai-sdk",
  "ai-sdk-ui",
  "varve-export",
] as const;

export type RecordingFormat = (typeof RECORDING_FORMATS)[number];

/** What a provider reported for one call of the model. */
export interface RecordedUsage {
  /** Position in `messages` of the assistant message that the call gave. */
  readonly at: number;
  /** All input tokens, those read from and written to the cache among them. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export interface RecordedConversation {
  readonly id?: string;
  readonly title?: string;
  /** The model that answered last. */
  readonly model?: string;
  /** The conversation that a subagent's conversation was started from. */
  readonly parent?: string;
  /** The system prompt, apart from the messages wherever the recording had it. */
  readonly system?: string;
  readonly tools?: readonly AnyTool[];
  readonly messages: readonly Message[];
  /** For each message its time in milliseconds since 1970, where the recording tells any. */
  readonly times?: readonly (number | undefined)[];
  readonly usage?: readonly RecordedUsage[];
  /** Positions of messages that hold the summary of a compaction. What it stands for is there too, before it. */
  readonly compactions?: readonly number[];
}

export type RecordingWarningKind =
  /** The text ends in the middle of a line or document, as after a crash. */
  | "cut-short"
  /** A line that is no JSON. */
  | "broken-line"
  /** Lines, parts or messages of a kind that is not known. */
  | "unknown-kind"
  /** A message that the format's rules do not allow. */
  | "unreadable"
  /** Messages of branches that the conversation left. */
  | "branch"
  /** Messages that no model wrote or saw. */
  | "left-out"
  | "compaction"
  | "empty";

export interface RecordingWarning {
  readonly kind: RecordingWarningKind;
  readonly message: string;
  readonly count?: number;
  readonly line?: number;
}

export interface Recording {
  readonly format: RecordingFormat;
  readonly conversations: readonly RecordedConversation[];
  readonly warnings: readonly RecordingWarning[];
}

export interface ReadRecordingOptions {
  /** The format, where it is not to be found by itself. */
  readonly format?: RecordingFormat;
  /** Characters that are read at most, unpacked: 200 million unless given. More is an error. */
  readonly maxCharacters?: number;
}
