import Anthropic from "@anthropic-ai/sdk";
import { fromAnthropic, toAnthropic } from "../../../src/index.js";
import { type Client, isFailure, isStreamed } from "../client.js";
import { anthropicProtocol } from "../protocols/anthropic.js";
import { TOOLS } from "../script.js";

/** A model that binds its thinking to its prefix, and one whose running turns begin with it. */
export const BOUND = "claude-sonnet-5-5";
export const OLDER = "claude-opus-4-5";
export const INTERLEAVED = { "anthropic-beta": "interleaved-thinking-2025-05-14" };

const tools = TOOLS.map(({ name, description, schema }) => ({ name, description, input_schema: { ...schema } }));

const claude = (model: string, form: "plain" | "interleaved"): Client => ({
  name: `anthropic ${model} ${form}`,
  model,
  protocol: () => anthropicProtocol(model === BOUND ? "bound" : "opens-turn"),
  connect: (url) => {
    const { messages } = new Anthropic({ apiKey: "k", baseURL: url, maxRetries: 0 });
    const headers = form === "interleaved" ? INTERLEAVED : {};
    const thinking = { type: "enabled" as const, budget_tokens: 1_024 };
    return {
      tools,
      ask: async (view, step) => {
        const prompt = toAnthropic(view, { cache: true });
        const request = { model, max_tokens: 2_048, thinking, tools, ...prompt };
        const { role, content } = await (isStreamed(step)
          ? messages.stream(request, { headers }).finalMessage()
          : messages.create(request, { headers }));
        const calls = content.filter((block) => block.type === "tool_use");
        return {
          calls: calls.map(({ id, name, input }) => ({ id, name, input: { ...Object(input) } })),
          messages: (outputs) => {
            const results = calls.map(({ id }, at) => {
              const output = outputs[at] ?? "";
              return { type: "tool_result", tool_use_id: id, content: output, is_error: isFailure(output) };
            });
            return fromAnthropic([
              { role, content },
              ...(results.length > 0 ? [{ role: "user", content: results }] : []),
            ]);
          },
        };
      },
    };
  },
});

export const anthropicClients: readonly Client[] = [BOUND, OLDER].flatMap((model) => [
  claude(model, "plain"),
  claude(model, "interleaved"),
]);
