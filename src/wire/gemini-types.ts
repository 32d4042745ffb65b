/** Gemini's `generateContent` as written. Fields that varve does not know are there at run time all the same. */
interface Signed {
  thought?: boolean;
  thoughtSignature?: string;
}
export type GeminiPart = Signed &
  (
    | { text: string }
    | { inlineData: { mimeType: string; data: string } }
    | { fileData: { fileUri: string; mimeType?: string } }
    | { functionCall: { id?: string; name: string; args?: Record<string, unknown> } }
    | { functionResponse: { id?: string; name: string; response: Record<string, unknown> } }
  );

export interface GeminiContent {
  role: "user" | "model";
  parts: GeminiPart[];
}
export interface GeminiPrompt {
  systemInstruction?: { parts: { text: string }[] };
  contents: GeminiContent[];
}
