import OpenAI from "openai";
import { fromOpenAI, fromOpenAIResponses, toOpenAI, toOpenAIResponses } from "../../../src/index.js";
import { type Client, isStreamed } from "../client.js";
import { openaiChatProtocol } from "../protocols/openai-chat.js";
import { openaiResponsesProtocol } from "../protocols/openai-responses.js";
import { TOOLS } from "../script.js";

const model = "gpt-4.1";
const sdk = (url: string) => new OpenAI({ apiKey: "k", baseURL: `${url}/v1`, maxRetries: 0 });

export const openaiChat: Client = {
  name: "openai chat",
  model,
  protocol: openaiChatProtocol,
  connect: (url) => {
    const { completions } = sdk(url).chat;
    const tools = TOOLS.map(({ name, description, schema }) => ({
      type: "function" as const,
      function: { name, description, parameters: schema },
    }));
    return {
      tools,
      ask: async (view, step) => {
        const request = { model, messages: toOpenAI(view.messages), tools };
        const { choices } = await (isStreamed(step)
          ? completions.stream(request).finalChatCompletion()
          : completions.create(request));
        const answer = choices[0]!.message;
        const calls = (answer.tool_calls ?? []).filter((call) => call.type === "function");
        return {
          calls: calls.map(({ id, function: used }) => ({ id, name: used.name, input: JSON.parse(used.arguments) })),
          messages: (outputs) =>
            fromOpenAI([
              answer,
              ...calls.map(({ id }, at) => ({ role: "tool", tool_call_id: id, content: outputs[at] })),
            ]),
        };
      },
    };
  },
};

export const openaiResponses: Client = {
  name: "openai responses",
  model: "gpt-5.4",
  protocol: openaiResponsesProtocol,
  connect: (url) => {
    const { responses } = sdk(url);
    const tools = TOOLS.map(({ name, description, schema }) => ({
      type: "function" as const,
      name,
      description,
      parameters: schema,
      strict: true,
    }));
    return {
      tools,
      ask: async (view, step) => {
        // Its type asks for ids and states of items that its API does not ask for.
        const input = toOpenAIResponses(view.messages) as OpenAI.Responses.ResponseInput;
        const request = { model: "gpt-5.4", input, tools, store: false, include: INCLUDE };
        const { output } = await (isStreamed(step)
          ? responses.stream(request).finalResponse()
          : responses.create(request));
        const calls = output.flatMap((item) => (item.type === "function_call" ? [item] : []));
        return {
          calls: calls.map(({ call_id, name, arguments: input }) => ({ id: call_id, name, input: JSON.parse(input) })),
          messages: (outputs) =>
            fromOpenAIResponses([
              ...output,
              ...calls.map(({ call_id }, at) => ({ type: "function_call_output", call_id, output: outputs[at] })),
            ]),
        };
      },
    };
  },
};

const INCLUDE: OpenAI.Responses.ResponseIncludable[] = ["reasoning.encrypted_content"];
