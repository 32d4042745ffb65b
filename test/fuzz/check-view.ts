/** Holds a view against what each provider takes, with checkers that read nothing but the request as it is sent. */

import {
  type Message,
  toAISDKPrompt,
  toAnthropic,
  toGemini,
  toOpenAI,
  toOpenAIResponses,
  VarveError,
} from "../../src/index.js";
import { countOnce } from "../support/count-once.js";
import { aiSdkBreaches, aiSdkTexts } from "./rules/ai-sdk.js";
import { anthropicBreaches, anthropicTexts } from "./rules/anthropic.js";
import { geminiBreaches, geminiTexts } from "./rules/gemini.js";
import { openaiChatBreaches, openaiChatTexts } from "./rules/openai-chat.js";
import { openaiResponsesBreaches, openaiResponsesTexts } from "./rules/openai-responses.js";
import { type Breach, type Item, itemsOf } from "./rules/request.js";

interface Provider {
  readonly encode: (messages: readonly Message[]) => unknown;
  readonly breaches: (request: Item) => Breach[] | Promise<Breach[]>;
  /** What the model reads of a request, in pieces that are counted one by one. */
  readonly texts: (request: Item) => readonly string[];
}

/** Lists are wrapped, so that every request is an object. */
const list = (request: Item): readonly Item[] => itemsOf(request.list);
const sent = (request: unknown): Item => JSON.parse(JSON.stringify(request)) as Item;

const PROVIDERS = {
  anthropic: { encode: (messages) => sent(toAnthropic(messages)), breaches: anthropicBreaches, texts: anthropicTexts },
  "openai-chat": {
    encode: (messages) => sent({ list: toOpenAI(messages) }),
    breaches: (request) => openaiChatBreaches(list(request)),
    texts: (request) => openaiChatTexts(list(request)),
  },
  "openai-responses": {
    encode: (messages) => sent({ list: toOpenAIResponses(messages) }),
    breaches: (request) => openaiResponsesBreaches(list(request)),
    texts: (request) => openaiResponsesTexts(list(request)),
  },
  gemini: { encode: (messages) => sent(toGemini(messages)), breaches: geminiBreaches, texts: geminiTexts },
  "ai-sdk": { encode: toAISDKPrompt, breaches: aiSdkBreaches, texts: aiSdkTexts },
} satisfies { readonly [name: string]: Provider };

export type ProviderName = keyof typeof PROVIDERS;
export const PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly ProviderName[];

/** What a view promises, as far as the one who asked for it can know. */
export interface Expected {
  readonly provider: ProviderName;
  /** Tokens that request and tools may take together; undefined where the counter is not o200k. */
  readonly limit: number | undefined;
  /** Texts beside the messages, such as the tools. */
  readonly beside: readonly string[];
  /** The mark of the latest user message that says something. */
  readonly asked: number | undefined;
  /** The marks of what is pinned. */
  readonly pinned: readonly number[];
}

/** Every rule that the view breaks with this provider; a refusal by name, with a documented code, is none. */
export async function checkView(messages: readonly Message[], expected: Expected): Promise<Breach[]> {
  const provider: Provider = PROVIDERS[expected.provider];
  let request: Item;
  try {
    request = provider.encode(messages) as Item;
  } catch (error) {
    if (VarveError.isInstance(error)) return [];
    return [{ rule: "crash", at: "encoder", excerpt: error instanceof Error ? error.stack : error }];
  }
  const breaches = await provider.breaches(request);
  return [...breaches, ...checkPromises(request, provider.texts(request), expected)];
}

function checkPromises(request: Item, texts: readonly string[], expected: Expected): Breach[] {
  const json = JSON.stringify(request);
  const shown = [...json.matchAll(/(?<!\\)"⟦(\d+)⟧/g)].map(([, number]) => Number(number));
  const found: Breach[] = [];
  const promise = (holds: boolean, rule: string, excerpt: unknown) =>
    holds || found.push({ rule, at: "request", excerpt });
  // "The request body is not valid JSON: no low surrogate in string".
  promise(!/(?<!\\)\\ud[89a-f]/.test(json), "lone-surrogate", "");
  promise(
    shown.every((number, at) => at === 0 || number > shown[at - 1]!),
    "order",
    shown,
  );
  const { asked, pinned, limit } = expected;
  promise(asked === undefined || shown.includes(asked), "last-user-lost", { asked, shown });
  promise(
    pinned.every((number) => shown.includes(number)),
    "pin-lost",
    { pinned, shown },
  );
  if (limit !== undefined) {
    const tokens = tokensOf([...texts, ...expected.beside]) + overhead(texts, expected.provider);
    promise(tokens <= limit, "over", { tokens, limit });
  }
  return found;
}

/** "tokens_per_message = 3", and 3 for "every reply is primed": OpenAI cookbook, How to count tokens with tiktoken. */
const overhead = (texts: readonly string[], provider: ProviderName): number =>
  provider === "openai-chat" ? 3 * texts.length + 3 : 0;

const tokensOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + countOnce(text), 0);
