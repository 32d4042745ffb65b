/** What providers' own SDKs give goes in, and what goes out is what they take. */
import type Anthropic from "@anthropic-ai/sdk";
import type OpenAI from "openai";
import {
  type ContextManager,
  type LLMPayload,
  type Message,
  type Session,
  slidingWindow,
  type ToolDefinition,
  type View,
} from "../src/index.js";
import { fromAnthropic, toAnthropic } from "../src/wire/anthropic.js";
import { fromOpenAI, toOpenAI } from "../src/wire/openai-chat.js";
import { fromOpenAIResponses, toOpenAIResponses } from "../src/wire/openai-responses.js";

declare const session: Session;
const manager = slidingWindow();
declare const openai: OpenAI;
declare const anthropic: Anthropic;
declare const chatTools: OpenAI.Chat.Completions.ChatCompletionTool[];
declare const responsesTools: OpenAI.Responses.Tool[];
declare const anthropicTools: Anthropic.Messages.Tool[];
const model = "m";
/** OpenAI's type asks for ids and states of items that its API does not ask for. */
type Input = OpenAI.Responses.ResponseInput;

export async function chat(given: OpenAI.Chat.Completions.ChatCompletionMessageParam[]): Promise<void> {
  await session.append(fromOpenAI(given));
  const { messages, tools } = await session.view({ tools: chatTools });
  const { choices } = await openai.chat.completions.create({ model, messages: toOpenAI(messages), tools });
  await session.append(fromOpenAI(choices.map(({ message }) => message)));
}

export async function responses(given: OpenAI.Responses.ResponseInput): Promise<void> {
  await session.append(fromOpenAIResponses(given));
  const { messages, tools } = await session.view({ tools: responsesTools });
  const { output } = await openai.responses.create({ model, input: toOpenAIResponses(messages) as Input, tools });
  await session.append(fromOpenAIResponses(output));
}

export async function claude(given: Anthropic.MessageParam[]): Promise<void> {
  await session.append(fromAnthropic(given));
  const view = await session.view({ tools: anthropicTools });
  const request = { model, max_tokens: 9, tools: view.tools };
  await anthropic.messages.create({ ...request, ...toAnthropic(view, { cache: true, ttl: "1h" }) });
  const { content, role } = await anthropic.messages.create({ ...request, ...toAnthropic(view.messages) });
  await session.append(fromAnthropic([{ role, content }]));
}

export async function alone(given: OpenAI.Chat.Completions.ChatCompletionMessageParam[]): Promise<void> {
  const { messages, tools } = await manager.composePayload("Be brief.", fromOpenAI(given), chatTools);
  await openai.chat.completions.create({ model, messages: toOpenAI(messages), tools });
}

/** A manager of one's own, and what it hands on, as spec 2 writes them. */
export class Own implements ContextManager {
  async composePayload(
    _prompt: string,
    _history: readonly Message[],
    _tools: readonly ToolDefinition[],
  ): Promise<LLMPayload> {
    return session.view();
  }
  async onTurnComplete(): Promise<void> {}
}
export const names = ({ tools }: View): string[] => tools.map(({ name }) => name);
