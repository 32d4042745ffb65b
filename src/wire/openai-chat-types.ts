/** The messages of Chat Completions as written. Fields that varve does not know are there at run time all the same. */
export type OpenAIContentPart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string; detail?: "auto" | "low" | "high" } }
  | { type: "input_audio"; input_audio: { data: string; format: "wav" | "mp3" } }
  | { type: "file"; file: { file_data?: string; file_id?: string; filename?: string } };

export type OpenAITextPart = { type: "text"; text: string };
export type OpenAIAssistantPart = OpenAITextPart | { type: "refusal"; refusal: string };

export type OpenAIToolCall =
  | { id: string; type: "function"; function: { name: string; arguments: string } }
  | { id: string; type: "custom"; custom: { name: string; input: string } };

export interface OpenAISystemMessage {
  role: "system";
  content: string;
}
export interface OpenAIUserMessage {
  role: "user";
  content: string | OpenAIContentPart[];
}
export interface OpenAIAssistantMessage {
  role: "assistant";
  content?: string | OpenAIAssistantPart[] | null;
  refusal?: string | null;
  tool_calls?: OpenAIToolCall[];
  function_call?: { name: string; arguments: string };
}
export interface OpenAIToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string | OpenAITextPart[];
}
export type OpenAIMessage = OpenAISystemMessage | OpenAIUserMessage | OpenAIAssistantMessage | OpenAIToolMessage;
