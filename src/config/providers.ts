/** Where models are found by their names, where a configuration gives no address of its own. */
import { VarveError } from "../errors.js";
import type { Environment } from "./environment.js";

/** A model as a configuration names it. */
export interface Endpoint {
  readonly model?: string | undefined;
  readonly protocol?: "openai" | "anthropic" | undefined;
  readonly baseURL?: string | undefined;
  readonly apiKeyEnv?: string | undefined;
}

export interface ResolvedEndpoint {
  readonly protocol: "openai" | "anthropic";
  readonly model: string;
  readonly baseURL: string;
  /** The variable that the key is read from, and what it holds. */
  readonly keyName: string;
  readonly apiKey: string | undefined;
  /** Whether the address was given, or is this machine's: it may do without a key. */
  readonly isOwn: boolean;
}

interface Provider {
  readonly names: RegExp;
  readonly protocol: ResolvedEndpoint["protocol"];
  readonly baseURL: string;
  readonly keyName: string;
  /** The variable that may name another address, as the provider's own programs read it. */
  readonly addressName?: string;
}

const OPENAI: Provider = {
  names: /^(?:gpt|o\d|text-embedding|chatgpt)/,
  protocol: "openai",
  baseURL: "https://api.openai.com/v1",
  keyName: "OPENAI_API_KEY",
  addressName: "OPENAI_BASE_URL",
};

const PROVIDERS: readonly Provider[] = [
  {
    names: /^claude/,
    protocol: "anthropic",
    baseURL: "https://api.anthropic.com",
    keyName: "ANTHROPIC_API_KEY",
    addressName: "ANTHROPIC_BASE_URL",
  },
  {
    names: /^(?:gemini|models\/gemini)/,
    protocol: "openai",
    baseURL: "https://generativelanguage.googleapis.com/v1beta/openai",
    keyName: "GEMINI_API_KEY",
  },
  OPENAI,
];
/** A name with a tag, such as qwen3:8b, is one of Ollama's. */
const OLLAMA: Provider = {
  names: /:/,
  protocol: "openai",
  baseURL: "http://localhost:11434/v1",
  keyName: "OLLAMA_API_KEY",
};

/** An endpoint with all that its model's name says filled in. */
export function resolveEndpoint(endpoint: Endpoint, environment: Environment): ResolvedEndpoint {
  const { model } = endpoint;
  if (model === undefined) throw noModel();
  const provider = providerOf(model, endpoint);
  const protocol = endpoint.protocol ?? provider.protocol;
  const keyName = endpoint.apiKeyEnv ?? provider.keyName;
  const apiKey = environment[keyName] || undefined;
  const given = endpoint.baseURL ?? (environment[provider.addressName ?? ""] || undefined);
  const baseURL = given ?? provider.baseURL;
  return { protocol, model, baseURL, keyName, apiKey, isOwn: given !== undefined || baseURL === OLLAMA.baseURL };
}

/** An address without a protocol is taken to speak OpenAI's, as nearly all servers do. */
function providerOf(model: string, { protocol, baseURL }: Endpoint): Provider {
  if (protocol === "anthropic") return PROVIDERS[0]!;
  const byName = [...PROVIDERS, OLLAMA].find(({ names }) => names.test(model)) ?? OPENAI;
  return baseURL === undefined && protocol === undefined
    ? byName
    : { ...byName, protocol: protocol ?? (baseURL?.includes("anthropic") ? "anthropic" : "openai") };
}

const noModel = (): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: "No model is named.",
    hint: 'Name one: "chat": { "model": "gpt-4.1-mini" } in varve.json, or VARVE_CHAT_MODEL.',
  });
