/** The port to a language model: one request, one answer. */
export interface CompletionRequest {
  readonly system?: string;
  readonly prompt: string;
  readonly maxOutputTokens?: number;
  /** A JSON Schema that the answer is to follow. */
  readonly schema?: unknown;
  readonly signal?: AbortSignal;
}

export interface Completion {
  readonly text: string;
  /** Why the model stopped. */
  readonly finish: "stop" | "length" | "refused" | "other";
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
}

export interface LanguageModel {
  /** The model's name, as its provider knows it. */
  readonly name: string;
  /** Tokens that one request may take, where known. */
  readonly window?: number;
  complete(request: CompletionRequest): Promise<Completion>;
}
