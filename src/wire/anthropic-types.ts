/** The Messages API as written. Fields that varve does not know are there at run time all the same. */
export interface AnthropicCacheControl {
  type: "ephemeral";
  ttl?: "5m" | "1h";
}
interface Cached {
  cache_control?: AnthropicCacheControl | null;
}
type AnthropicStored = { type: "url"; url: string } | { type: "file"; file_id: string };
export type AnthropicImageSource =
  | { type: "base64"; media_type: "image/jpeg" | "image/png" | "image/gif" | "image/webp"; data: string }
  | AnthropicStored;
export type AnthropicDocumentSource =
  | { type: "base64"; media_type: "application/pdf"; data: string }
  | { type: "text"; media_type: "text/plain"; data: string }
  | AnthropicStored;

export type AnthropicTextBlock = { type: "text"; text: string } & Cached;
export type AnthropicImageBlock = { type: "image"; source: AnthropicImageSource } & Cached;
export type AnthropicDocumentBlock = {
  type: "document";
  source: AnthropicDocumentSource;
  title?: string | null;
} & Cached;
export type AnthropicContentBlock = AnthropicTextBlock | AnthropicImageBlock | AnthropicDocumentBlock;
export type AnthropicToolUseBlock = { type: "tool_use"; id: string; name: string; input: unknown } & Cached;
export type AnthropicToolResultBlock = {
  type: "tool_result";
  tool_use_id: string;
  content?: string | AnthropicContentBlock[];
  is_error?: boolean;
} & Cached;
export type AnthropicThinkingBlock =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string };

export type AnthropicBlock =
  | AnthropicContentBlock
  | AnthropicToolUseBlock
  | AnthropicToolResultBlock
  | AnthropicThinkingBlock;

export interface AnthropicMessage {
  role: "user" | "assistant";
  content: string | AnthropicBlock[];
}
export interface AnthropicPrompt {
  system?: string | AnthropicTextBlock[];
  messages: AnthropicMessage[];
}
