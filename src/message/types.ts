/**
 * The canonical message: the AI SDK's `ModelMessage`, structurally and without depending on it. Every `ModelMessage`
 * is a `Message`. What a wire format holds beyond it travels in `providerOptions`, so that encoding gives it back.
 */
export type JSONValue =
  | null
  | string
  | number
  | boolean
  | { readonly [key: string]: JSONValue | undefined }
  | readonly JSONValue[];

/** Provider name → its own fields. `varve` is ours: what a wire format held that has no canonical place. */
export type ProviderOptions = Record<string, { [key: string]: JSONValue | undefined }>;

type DataContent = string | Uint8Array | ArrayBuffer;
type ProviderReference = Record<string, string>;
export type FileData =
  | { type: "data"; data: DataContent }
  | { type: "url"; url: URL }
  | { type: "reference"; reference: ProviderReference }
  | { type: "text"; text: string };

interface WithOptions {
  providerOptions?: ProviderOptions;
}

export interface TextPart extends WithOptions {
  type: "text";
  text: string;
}
export interface ImagePart extends WithOptions {
  type: "image";
  image: DataContent | URL | ProviderReference;
  mediaType?: string;
}
export interface FilePart extends WithOptions {
  type: "file";
  data: FileData | DataContent | URL | ProviderReference;
  filename?: string;
  mediaType: string;
}
/** Signed reasoning carries its signature in `providerOptions`; it is kept byte for byte or dropped whole. */
export interface ReasoningPart extends WithOptions {
  type: "reasoning";
  text: string;
}
export interface ReasoningFilePart extends WithOptions {
  type: "reasoning-file";
  data: FileData | DataContent | URL;
  mediaType: string;
}
/** A block that has no canonical form, carried whole in `providerOptions`. */
export interface CustomPart extends WithOptions {
  type: "custom";
  kind: `${string}.${string}`;
}
export interface ToolCallPart extends WithOptions {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  /**
   * The parsed arguments, or the text itself where the model wrote broken JSON. On a call that came with `rawInput` it
   * is an accessor of the part's class, which parses when it is read: `{ ...part }` and `structuredClone(part)` do not
   * copy it. `JSON.stringify` and `toAISDK` write it out.
   */
  input: unknown;
  /** The arguments byte for byte as the model wrote them, where a wire format gave them as text. */
  rawInput?: string;
  providerExecuted?: boolean;
}
export type ToolContentPart = { type: string; [key: string]: unknown } & WithOptions;
export type ToolOutput =
  | ({ type: "text" | "error-text"; value: string } & WithOptions)
  | ({ type: "json" | "error-json"; value: JSONValue } & WithOptions)
  | ({ type: "execution-denied"; reason?: string } & WithOptions)
  | ({ type: "content"; value: ToolContentPart[] } & WithOptions);
export interface ToolResultPart extends WithOptions {
  type: "tool-result";
  toolCallId: string;
  /** Empty where the wire format does not name the tool and the call is not at hand. */
  toolName: string;
  output: ToolOutput;
}
export interface ToolApprovalRequest {
  type: "tool-approval-request";
  approvalId: string;
  toolCallId: string;
}
export interface ToolApprovalResponse {
  type: "tool-approval-response";
  approvalId: string;
  approved: boolean;
  reason?: string;
}

export type UserPart = TextPart | ImagePart | FilePart | CustomPart;
export type AssistantPart =
  | TextPart
  | CustomPart
  | FilePart
  | ReasoningPart
  | ReasoningFilePart
  | ToolCallPart
  | ToolResultPart
  | ToolApprovalRequest;
export type ToolPart = ToolResultPart | ToolApprovalResponse;
export type Part = UserPart | AssistantPart | ToolPart;

export interface SystemMessage extends WithOptions {
  role: "system";
  content: string;
}
export interface UserMessage extends WithOptions {
  role: "user";
  content: string | UserPart[];
}
export interface AssistantMessage extends WithOptions {
  role: "assistant";
  content: string | AssistantPart[];
}
export interface ToolMessage extends WithOptions {
  role: "tool";
  content: ToolPart[];
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** Messages by their position. */
export interface History {
  messageAt(position: number): Message;
}

/** A tool as the model sees it. `inputSchema` is JSON Schema. */
export interface ToolDefinition {
  name: string;
  description?: string;
  inputSchema?: unknown;
  [key: string]: unknown;
}

/** A tool, or one in a provider's own shape: OpenAI's, Anthropic's, Gemini's. All its fields count. */
export type AnyTool =
  | ToolDefinition
  | { readonly name: string }
  | { readonly type: string }
  | { readonly functionDeclarations?: unknown };
