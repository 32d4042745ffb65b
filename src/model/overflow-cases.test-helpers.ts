/** What a provider said, in its own words. */
export interface Case {
  readonly provider: string;
  readonly status?: number;
  /** A text, or the body of the answer. */
  readonly says: string | object;
}

const openai = (message: string, code: string | null = null, type = "invalid_request_error"): object => ({
  error: { message, type, param: null, code },
});

export const OVERFLOWS: readonly Case[] = [
  {
    provider: "OpenAI chat",
    status: 400,
    says: openai(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.",
      "context_length_exceeded",
    ),
  },
  {
    provider: "OpenAI responses",
    status: 400,
    says: openai("Your input exceeds the context window of this model. Please adjust your input and try again."),
  },
  {
    provider: "Azure OpenAI",
    status: 400,
    says: openai(
      "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 301000 tokens. Please reduce the length of the messages.",
    ),
  },
  {
    provider: "Anthropic",
    status: 400,
    says: {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 213462 tokens > 200000 maximum" },
    },
  },
  {
    provider: "Anthropic with output",
    status: 400,
    says: {
      type: "error",
      error: {
        type: "invalid_request_error",
        message:
          "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens` and try again",
      },
    },
  },
  {
    provider: "Anthropic size",
    status: 413,
    says: { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } },
  },
  {
    provider: "Gemini",
    status: 400,
    says: {
      error: {
        code: 400,
        message: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).",
        status: "INVALID_ARGUMENT",
      },
    },
  },
  {
    provider: "Vertex",
    status: 400,
    says: {
      error: {
        code: 400,
        message:
          "Unable to submit request because the input token count is 1324567 but model only supports up to 1048576. Reduce the input token count and try again.",
        status: "INVALID_ARGUMENT",
      },
    },
  },
  { provider: "Bedrock", status: 400, says: "ValidationException: Input is too long for requested model." },
  {
    provider: "Bedrock Llama",
    status: 400,
    says: "ValidationException: This model's maximum context length is 8192 tokens. Please reduce the length of the prompt",
  },
  {
    provider: "Mistral",
    status: 400,
    says: {
      object: "error",
      message: "Prompt contains 300000 tokens, too large for model with 131072 maximum context length",
      type: "invalid_request_error",
      code: "3051",
    },
  },
  {
    provider: "Groq",
    status: 400,
    says: openai("Please reduce the length of the messages or completion.", "context_length_exceeded"),
  },
  {
    provider: "Together",
    status: 422,
    says: openai(
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 80125 `inputs` tokens and 4096 `max_new_tokens`",
    ),
  },
  {
    provider: "Fireworks",
    status: 400,
    says: openai("The prompt is too long: 140000, model maximum context length: 131071"),
  },
  {
    provider: "OpenRouter",
    status: 400,
    says: openai(
      'This endpoint\'s maximum context length is 131072 tokens. However, you requested about 537812 tokens (529620 of text input, 8192 in the output). Please reduce the length of either one, or use the "middle-out" transform.',
    ),
  },
  {
    provider: "OpenRouter raw",
    status: 400,
    says: {
      error: {
        message: "Provider returned error",
        code: 400,
        metadata: { raw: '{"error":{"message":"prompt is too long: 250000 tokens > 200000 maximum"}}' },
      },
    },
  },
  {
    provider: "DeepSeek",
    status: 400,
    says: openai(
      "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
    ),
  },
  {
    provider: "xAI",
    status: 400,
    says: {
      code: "Client specified an invalid argument",
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
  },
  {
    provider: "Cohere",
    status: 400,
    says: {
      message:
        "too many tokens: total number of tokens in the prompt cannot exceed 128000 - received 130012. Try using a shorter prompt",
    },
  },
  { provider: "Ollama", status: 400, says: { error: "the input length exceeds the context length" } },
  { provider: "Ollama long prompt", status: 500, says: "prompt too long; exceeded max context length by 4096 tokens" },
  {
    provider: "vLLM",
    status: 400,
    says: {
      object: "error",
      message:
        "This model's maximum context length is 32768 tokens. However, you requested 2048 output tokens and your prompt contains at least 30721 input tokens, for a total of at least 32769 tokens. Please reduce the length of the input prompt or the number of requested output tokens.",
      type: "BadRequestError",
      code: 400,
    },
  },
  {
    provider: "vLLM decoder",
    status: 400,
    says: "The decoder prompt (length 21535) is longer than the maximum model length of 16384",
  },
  {
    provider: "vLLM output",
    status: 400,
    says: "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 131072 tokens and your request has 125000 input tokens (8192 > 131072 - 125000).",
  },
  {
    provider: "llama.cpp",
    status: 400,
    says: {
      error: {
        code: 400,
        message: "the request exceeds the available context size, try increasing it",
        type: "exceed_context_size_error",
        n_prompt_tokens: 5000,
        n_ctx: 4096,
      },
    },
  },
  {
    provider: "LM Studio",
    status: 400,
    says: "Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded with context length of only 7866 tokens, which is not enough.",
  },
  {
    provider: "LM Studio later",
    status: 400,
    says: "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input",
  },
  {
    provider: "TGI",
    status: 422,
    says: {
      error: "Input validation error: `inputs` must have less than 4096 tokens. Given: 5012",
      error_type: "validation",
    },
  },
  {
    provider: "Hugging Face",
    status: 422,
    says: {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 1944 `inputs` tokens and 1000 `max_new_tokens`",
    },
  },
  {
    provider: "SGLang",
    status: 400,
    says: {
      object: "error",
      message: "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
      type: "BadRequestError",
      code: 400,
    },
  },
  {
    provider: "SGLang pool",
    status: 400,
    says: "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).",
  },
  {
    provider: "Cerebras",
    status: 400,
    says: {
      message: "Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000",
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded",
    },
  },
  {
    provider: "DashScope",
    status: 400,
    says: openai(
      "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]",
      "invalid_parameter_error",
    ),
  },
  {
    provider: "Moonshot",
    status: 400,
    says: openai("Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)"),
  },
  { provider: "Zhipu", status: 400, says: { error: { code: "1261", message: "Prompt exceeds max length" } } },
  { provider: "Z.ai", says: "model_context_window_exceeded" },
  {
    provider: "GLM gateway",
    status: 400,
    says: {
      error: { message: "Input length 877338 exceeds the maximum allowed input length of 639968 tokens", code: "400" },
    },
  },
  {
    provider: "MiniMax",
    status: 200,
    says: { base_resp: {}, error: { message: "invalid params, context window exceeds limit (2013)" } },
  },
  {
    provider: "Databricks",
    status: 400,
    says: { error_code: "BAD_REQUEST", message: "Input is too long. Prompt tokens 9012 exceed the maximum of 8192." },
  },
  {
    provider: "watsonx",
    status: 400,
    says: {
      errors: [
        {
          code: "invalid_input_argument",
          message:
            "Invalid input argument for Model 'ibm/granite': the number of input tokens 5012 cannot exceed the total tokens limit 4096 for this model",
        },
      ],
    },
  },
  {
    provider: "GitHub Models",
    status: 413,
    says: {
      error: {
        code: "tokens_limit_reached",
        message: "Request body too large for gpt-4o model. Max size: 8000 tokens.",
      },
    },
  },
  { provider: "Copilot", status: 400, says: "prompt token count of 145000 exceeds the limit of 128000" },
  {
    provider: "LiteLLM",
    status: 400,
    says: "litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: AnthropicException - prompt is too long",
  },
  { provider: "a proxy without words", status: 413, says: "" },
  { provider: "Chinese gateway", status: 400, says: { error: { message: "输入内容过长，请缩短后重试" } } },
];

export const OTHERS: readonly Case[] = [
  {
    provider: "a network deadline",
    says: "context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
  },
  { provider: "an upload", status: 413, says: "The uploaded attachment is too large" },
  { provider: "a daily rate", says: "Number of request tokens has exceeded your daily rate limit" },
  { provider: "a broken answer", says: "Unexpected token < in JSON at position 0" },
  { provider: "a daily limit", says: "daily token limit exceeded" },
  { provider: "a monthly limit", status: 400, says: "Monthly token limit exceeded for this workspace" },
  {
    provider: "OpenAI TPM",
    status: 429,
    says: openai(
      "Request too large for gpt-4o in organization org-a on tokens per min (TPM): Limit 30000, Requested 45012. The input or output tokens must be reduced in order to run successfully.",
      "rate_limit_exceeded",
      "tokens",
    ),
  },
  {
    provider: "Groq TPM",
    status: 413,
    says: openai(
      "Request too large for model `llama-3.1-8b-instant` in organization `org_a` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 7145, please reduce your message size and try again.",
      "rate_limit_exceeded",
      "tokens",
    ),
  },
  {
    provider: "Groq TPD",
    status: 429,
    says: openai(
      "Rate limit reached for model on tokens per day (TPD): Limit 100000, Used 99336, Requested 1200.",
      "rate_limit_exceeded",
    ),
  },
  {
    provider: "Anthropic rate",
    status: 429,
    says: {
      type: "error",
      error: {
        type: "rate_limit_error",
        message:
          "This request would exceed the rate limit for your organization of 30,000 input tokens per minute. Please reduce the prompt length or the maximum tokens requested, or try again later.",
      },
    },
  },
  {
    provider: "Bedrock throttling",
    status: 429,
    says: "ThrottlingException: Too many tokens, please wait before trying again.",
  },
  {
    provider: "Bedrock throttling without a status",
    says: "ThrottlingException: Too many tokens per day, please wait before trying again.",
  },
  {
    provider: "Gemini quota",
    status: 429,
    says: {
      error: {
        code: 429,
        message:
          "You exceeded your current quota, please check your plan and billing details. Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 250000",
        status: "RESOURCE_EXHAUSTED",
      },
    },
  },
  {
    provider: "OpenAI quota",
    status: 429,
    says: openai("You exceeded your current quota, please check your plan and billing details.", "insufficient_quota"),
  },
  {
    provider: "OpenRouter credits",
    status: 402,
    says: openai(
      "Prompt tokens limit exceeded: 50000 > 20000. To increase, visit the credits page and upgrade to a paid account",
    ),
  },
  {
    provider: "OpenAI max_tokens",
    status: 400,
    says: openai(
      "max_tokens is too large: 200000. This model supports at most 16384 completion tokens, whereas you provided 200000.",
    ),
  },
  {
    provider: "DeepSeek max_tokens",
    status: 400,
    says: openai("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"),
  },
  {
    provider: "Databricks max_tokens",
    status: 400,
    says: "max_tokens (10000) cannot exceed 8192. Please reduce the length of max output tokens generated.",
  },
  {
    provider: "Bedrock max_tokens",
    status: 400,
    says: "The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.",
  },
  { provider: "DashScope max_tokens", status: 400, says: "Range of max_tokens should be [1, 8192]" },
  {
    provider: "vLLM max_tokens",
    status: 400,
    says: "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 30 input tokens (4096 > 4096 - 30).",
  },
  {
    provider: "vLLM output fills the window",
    status: 400,
    says: "This model's maximum context length is 131072 tokens. However, you requested 128000 output tokens and your prompt contains at least 3073 input tokens, for a total of at least 131073 tokens.",
  },
  {
    provider: "Anthropic max_tokens",
    status: 400,
    says: "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4",
  },
  {
    provider: "Anthropic image",
    status: 400,
    says: "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 7340032 bytes > 5242880 bytes",
  },
  { provider: "an image with 413", status: 413, says: "Payload too large: the image is too large" },
  { provider: "Anthropic PDF", status: 400, says: "A maximum of 100 PDF pages may be provided." },
  {
    provider: "OpenAI tools",
    status: 400,
    says: openai(
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 140 instead.",
      "array_above_max_length",
    ),
  },
  { provider: "Anthropic thinking", status: 400, says: "`max_tokens` must be greater than `thinking.budget_tokens`" },
  {
    provider: "overloaded",
    status: 529,
    says: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
  },
  { provider: "a server error", status: 500, says: "Internal server error" },
  { provider: "a wrong key", status: 401, says: openai("Incorrect API key provided") },
  { provider: "an unknown model", status: 404, says: openai("The model does not exist", "model_not_found") },
  { provider: "a slow request", says: "The request took too long to complete" },
  {
    provider: "a content filter",
    status: 400,
    says: openai("The response was filtered due to the prompt triggering content management policy", "content_filter"),
  },
  {
    provider: "a bad schema",
    status: 400,
    says: openai(
      "Invalid schema for response_format 'answer': In context=(), 'additionalProperties' is required",
      "invalid_request_error",
    ),
  },
];
