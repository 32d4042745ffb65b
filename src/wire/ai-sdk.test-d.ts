import { generateText, type LanguageModel, type ModelMessage, streamText } from "ai";
import type { Message } from "../message/types.js";
import { toAISDK, toAISDKPrompt } from "./ai-sdk.js";

/** What varve writes is what the AI SDK takes, with no cast between. */
declare const model: LanguageModel;
declare const messages: readonly Message[];

export const theirs: ModelMessage[] = toAISDK(messages);
export const together = () => generateText({ model, messages: toAISDK(messages), allowSystemInMessages: true });
export const apart = () => generateText({ model, ...toAISDKPrompt(messages) });
export const streamed = () => streamText({ model, ...toAISDKPrompt(messages) });
