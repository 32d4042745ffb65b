import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, streamText, tool } from "ai";
import { fromAISDK, toAISDKPrompt } from "../../../src/index.js";
import { type Client, isFailure, isStreamed } from "../client.js";
import type { Protocol } from "../protocol.js";
import { anthropicProtocol } from "../protocols/anthropic.js";
import { openaiChatProtocol } from "../protocols/openai-chat.js";
import { openaiResponsesProtocol } from "../protocols/openai-responses.js";
import { TOOLS } from "../script.js";
import { BOUND, INTERLEAVED, OLDER } from "./anthropic.js";

interface Provider {
  readonly name: string;
  readonly model: string;
  readonly protocol: () => Protocol;
  readonly languageModel: (url: string) => LanguageModel;
}

const tools = TOOLS.map(({ name, description, schema }) => ({ name, description, inputSchema: { ...schema } }));
const toolSet = Object.fromEntries(
  tools.map(({ name, description, inputSchema }) => [
    name,
    tool({ description, inputSchema: jsonSchema(inputSchema) }),
  ]),
);
const sealed = { store: false, include: ["reasoning.encrypted_content"] };
const thinkingOf = (model: string) =>
  model === BOUND ? { type: "adaptive" as const } : { type: "enabled" as const, budgetTokens: 1_024 };

/** `generateText` and `streamText` by turns. */
const aiSdk = ({ name, model, protocol, languageModel }: Provider): Client => ({
  name: `ai ${name}`,
  model,
  protocol,
  connect: (url) => {
    const asked = languageModel(url);
    const headers = model === OLDER ? {} : INTERLEAVED;
    const providerOptions = { anthropic: { thinking: thinkingOf(model) }, openai: sealed };
    return {
      tools,
      ask: async (view, step) => {
        const prompt = toAISDKPrompt(view.messages);
        const request = { model: asked, tools: toolSet, providerOptions, headers, maxRetries: 0, ...prompt };
        const answered = isStreamed(step) ? await streamed(request) : (await generateText(request)).responseMessages;
        const calls = answered.flatMap(({ content }) =>
          typeof content === "string" ? [] : content.filter((part) => part.type === "tool-call"),
        );
        return {
          calls: calls.map(({ toolCallId, toolName, input }) => ({
            id: toolCallId,
            name: toolName,
            input: { ...Object(input) },
          })),
          messages: (outputs) => {
            const results = calls.map(({ toolCallId, toolName }, at) => {
              const value = outputs[at] ?? "";
              const output = { type: isFailure(value) ? "error-text" : "text", value };
              return { type: "tool-result", toolCallId, toolName, output };
            });
            return fromAISDK([...answered, ...(results.length > 0 ? [{ role: "tool", content: results }] : [])]);
          },
        };
      },
    };
  },
});

async function streamed(request: Parameters<typeof streamText>[0]): Promise<ModelMessage[]> {
  let failure: unknown;
  const result = streamText({
    ...request,
    onError: ({ error }) => {
      failure = error;
    },
  });
  await result.consumeStream();
  if (failure !== undefined) throw failure;
  return await result.responseMessages;
}

const claude = (model: string): Provider => ({
  name: `anthropic ${model}`,
  model,
  protocol: () => anthropicProtocol(model === BOUND ? "bound" : "opens-turn"),
  languageModel: (url) => createAnthropic({ apiKey: "k", baseURL: `${url}/v1` })(model),
});

export const aiSdkClients: readonly Client[] = [
  {
    name: "openai-compatible",
    model: "gpt-4.1",
    protocol: openaiChatProtocol,
    languageModel: (url: string) => createOpenAICompatible({ name: "lab", baseURL: `${url}/v1` })("gpt-4.1"),
  },
  {
    name: "openai responses",
    model: "gpt-5.4",
    protocol: openaiResponsesProtocol,
    languageModel: (url: string) => createOpenAI({ apiKey: "k", baseURL: `${url}/v1` })("gpt-5.4"),
  },
  claude(BOUND),
  claude(OLDER),
].map(aiSdk);
