import { describe, test } from "vitest";
import { fromAISDK, toAISDK } from "./ai-sdk.js";
import { fromAnthropic, toAnthropic } from "./anthropic.js";
import { anthropicPrompt, loosePrompt as looseAnthropic } from "./anthropic.test-helpers.js";
import { fromGemini, toGemini } from "./gemini.js";
import { geminiPrompt, loosePrompt as looseGemini } from "./gemini.test-helpers.js";
import { fromOpenAI, toOpenAI } from "./openai-chat.js";
import { openAIMessages } from "./openai-chat.test-helpers.js";
import { fromOpenAIResponses, toOpenAIResponses } from "./openai-responses.js";
import { looseItems, responsesItems } from "./openai-responses.test-helpers.js";
import {
  decodesOrRefuses,
  givesBack,
  handsOutCopies,
  isKeptForGood,
  junkMessages,
  leavesInputAlone,
  readsTheSameAgain,
  settlesAtOnce,
  sharesNothing,
} from "./wire.test-helpers.js";

const aiSDK = { decode: fromAISDK, encode: toAISDK };
const openAI = { decode: fromOpenAI, encode: toOpenAI };
const responses = { decode: fromOpenAIResponses, encode: toOpenAIResponses };
const anthropic = { decode: fromAnthropic, encode: toAnthropic };
const gemini = { decode: fromGemini, encode: toGemini };

describe.each([
  ["OpenAI chat", openAI, openAIMessages],
  ["OpenAI Responses", responses, responsesItems],
  ["Anthropic", anthropic, anthropicPrompt],
  ["Gemini", gemini, geminiPrompt],
] as const)("%s", (_name, codec, arbitrary) => {
  test("encoding gives back what was decoded", () => {
    givesBack<unknown>(codec, arbitrary);
  });
  test("decoding what was encoded gives the same messages", () => {
    readsTheSameAgain<unknown>(codec, arbitrary);
  });
  test("decoding leaves its input alone", () => {
    leavesInputAlone<unknown>(codec, arbitrary);
  });
  test("no later change of the input reaches a message", () => {
    sharesNothing<unknown>(codec, arbitrary);
  });
});

describe.each([
  ["OpenAI chat", openAI, openAIMessages],
  ["OpenAI Responses", responses, responsesItems],
  ["Anthropic", anthropic, anthropicPrompt],
  ["Gemini", gemini, geminiPrompt],
  ["AI SDK", { decode: (wire: unknown) => fromAISDK(toAISDK(fromOpenAI(wire))), encode: toAISDK }, openAIMessages],
] as const)("%s", (_name, codec, arbitrary) => {
  test("is kept for good once it is packed", () => {
    isKeptForGood<unknown>(codec, arbitrary);
  });
  test("hands out copies when it encodes", () => {
    handsOutCopies<unknown>(codec, arbitrary);
  });
});

describe("input that an API would refuse", () => {
  test("becomes normal Anthropic at once", () => {
    settlesAtOnce<unknown>(anthropic, looseAnthropic);
  });
  test("becomes normal Responses at once", () => {
    settlesAtOnce<unknown>(responses, looseItems);
  });
  test("becomes normal Gemini at once", () => {
    settlesAtOnce<unknown>(gemini, looseGemini);
  });
});

describe("anything at all is decoded, or refused with a reason", () => {
  test("as OpenAI chat", () => {
    const roles = ["user", "assistant", "tool", "system", "function", "wizard"];
    decodesOrRefuses(openAI, junkMessages(roles, ["content", "tool_calls", "function_call", "tool_call_id", "type"]));
  });
  test("as OpenAI Responses", () => {
    const fields = ["content", "type", "summary", "call_id", "arguments", "output", "id"];
    decodesOrRefuses(responses, junkMessages(["user", "assistant", "developer", "wizard"], fields));
  });
  test("as Anthropic", () => {
    const fields = ["content", "type", "text", "source", "tool_use_id", "input"];
    decodesOrRefuses(anthropic, junkMessages(["user", "assistant", "system", "wizard"], fields));
  });
  test("as Gemini", () => {
    const fields = ["parts", "text", "functionCall", "functionResponse", "inlineData"];
    decodesOrRefuses(gemini, junkMessages(["user", "model", "function", "wizard"], fields));
  });
  test("as AI SDK", () => {
    const fields = ["content", "type", "text", "toolCallId", "toolName", "output", "args"];
    decodesOrRefuses(aiSDK, junkMessages(["user", "assistant", "tool", "system", "wizard"], fields));
  });
});
