/** The input items of the Responses API as written. Items and fields that varve does not know are there all the same. */
export type ResponsesInputPart =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image_url?: string; file_id?: string; detail?: "auto" | "low" | "high" }
  | { type: "input_file"; file_data?: string; file_url?: string; file_id?: string; filename?: string };

export type ResponsesOutputPart =
  | { type: "output_text"; text: string; annotations?: unknown[] }
  | { type: "refusal"; refusal: string };

export interface ResponsesMessage {
  type?: "message";
  role: "user" | "system" | "developer" | "assistant";
  content: string | ResponsesInputPart[] | ResponsesOutputPart[];
  id?: string;
}
export interface ResponsesReasoning {
  type: "reasoning";
  id?: string;
  summary: { type: "summary_text"; text: string }[];
  encrypted_content?: string | null;
}
export type ResponsesCall =
  | { type: "function_call"; call_id: string; name: string; arguments: string; id?: string }
  | { type: "custom_tool_call"; call_id: string; name: string; input: string; id?: string };
export interface ResponsesCallOutput {
  type: "function_call_output" | "custom_tool_call_output";
  call_id: string;
  output: string | ResponsesInputPart[];
}
export type ResponsesItem = ResponsesMessage | ResponsesReasoning | ResponsesCall | ResponsesCallOutput;
