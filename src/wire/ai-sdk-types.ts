/** The AI SDK's `ModelMessage` as written, structurally: what `generateText` and `streamText` take as `messages`. */
import type {
  CustomPart,
  FileData,
  FilePart,
  JSONValue,
  ProviderOptions,
  ReasoningFilePart,
  ReasoningPart,
  SystemMessage,
  TextPart,
  ToolApprovalRequest,
  ToolApprovalResponse,
  ToolCallPart,
  ToolResultPart,
  UserMessage,
  UserPart,
} from "../message/types.js";

interface WithOptions {
  providerOptions?: ProviderOptions;
}

export type AISDKUserPart = Exclude<UserPart, CustomPart>;
export interface AISDKReasoningFilePart extends Omit<ReasoningFilePart, "data"> {
  data: Extract<FileData, { type: "data" | "url" }> | Exclude<ReasoningFilePart["data"], FileData>;
}
export type AISDKToolContentPart = WithOptions &
  (
    | { type: "text"; text: string }
    | { type: "file"; data: FileData; mediaType: string; filename?: string }
    | { type: "file-data"; data: string; mediaType: string; filename?: string }
    | { type: "file-url"; url: string; mediaType?: string }
    | { type: "file-id" | "image-file-id"; fileId: string | Record<string, string> }
    | { type: "file-reference" | "image-file-reference"; providerReference: Record<string, string> }
    | { type: "image-data"; data: string; mediaType: string }
    | { type: "image-url"; url: string }
    | { type: "custom" }
  );
export type AISDKToolOutput = WithOptions &
  (
    | { type: "text" | "error-text"; value: string }
    | { type: "json" | "error-json"; value: JSONValue }
    | { type: "execution-denied"; reason?: string }
    | { type: "content"; value: AISDKToolContentPart[] }
  );
export interface AISDKToolResultPart extends Omit<ToolResultPart, "output"> {
  output: AISDKToolOutput;
}
export type AISDKAssistantPart =
  | TextPart
  | CustomPart
  | FilePart
  | ReasoningPart
  | AISDKReasoningFilePart
  | Omit<ToolCallPart, "rawInput">
  | AISDKToolResultPart
  | ToolApprovalRequest;

export interface AISDKUserMessage extends Omit<UserMessage, "content"> {
  content: string | AISDKUserPart[];
}
export interface AISDKAssistantMessage extends WithOptions {
  role: "assistant";
  content: string | AISDKAssistantPart[];
}
export interface AISDKToolMessage extends WithOptions {
  role: "tool";
  content: (AISDKToolResultPart | ToolApprovalResponse)[];
}
export type AISDKMessage = SystemMessage | AISDKUserMessage | AISDKAssistantMessage | AISDKToolMessage;

/** The system prompt apart from the messages, as AI SDK 7 wants them. */
export interface AISDKPrompt {
  instructions?: SystemMessage[];
  messages: Exclude<AISDKMessage, SystemMessage>[];
}
