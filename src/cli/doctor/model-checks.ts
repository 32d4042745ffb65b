/** Checks of what is asked over the network, or computed. */
import { configuredEmbedder } from "../../config/parts.js";
import { type ResolvedEndpoint, resolveEndpoint } from "../../config/providers.js";
import { findModel } from "../../tokens/models.js";
import { formatCount } from "../terminal/format.js";
import { type Check, type CheckResult, failed, ok, warning } from "./check.js";

export const windowCheck: Check = {
  name: "window",
  async run({ config: { model, window, chat } }) {
    if (window !== undefined) return ok(`${formatCount(window)} tokens, as configured`);
    const name = model ?? chat?.model;
    const set = 'Set "window" in varve.json, such as 128000, or "model" to one that is known.';
    if (name === undefined) return warning("neither a window nor a model is configured", set);
    const known = findModel(name);
    if (known === undefined) return failed(`the model ${name} is not known, and no window is configured`, set);
    return ok(`${formatCount(known.window)} tokens, as ${known.id} has`);
  },
};

const PATIENCE = 3_000;

export const modelCheck: Check = {
  name: "model",
  async run({ config: { chat, summariser, model } }) {
    const named = typeof summariser === "object" && !("plugin" in summariser) ? { ...chat, ...summariser } : chat;
    const endpoint = { ...named, model: named?.model ?? model };
    if (named === undefined || endpoint.model === undefined)
      return ok("none configured: digests are made of the log's own words");
    return reach(resolveEndpoint(endpoint, process.env));
  },
};

/** Asks for the list of models: it costs nothing and needs the key. */
async function reach({ model, baseURL, protocol, keyName, apiKey }: ResolvedEndpoint): Promise<CheckResult> {
  const isLocal = /\/\/(?:localhost|127\.|\[::1\])/.test(baseURL);
  if (apiKey === undefined && !isLocal)
    return failed(`${model}: ${keyName} is not set`, `Set ${keyName}, or name another variable with "apiKeyEnv".`);
  const root = protocol === "anthropic" && !/\/v\d+$/.test(baseURL) ? `${baseURL}/v1` : baseURL;
  const url = `${root.replace(/\/+$/, "")}/models`;
  const headers: Record<string, string> =
    apiKey === undefined
      ? {}
      : protocol === "anthropic"
        ? { "x-api-key": apiKey, "anthropic-version": "2023-06-01" }
        : { authorization: `Bearer ${apiKey}` };
  try {
    const { status } = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE) });
    if (status === 401 || status === 403) return failed(`${url} refuses the key (${status})`, `Check ${keyName}.`);
    if (status >= 500) return warning(`${url} answers ${status}`, "Try again later, or ask whoever runs it.");
    return ok(`${model} at ${baseURL}`);
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error };
    return failed(
      `${baseURL} cannot be reached: ${cause?.message ?? message}`,
      'Start the server, or correct "baseURL" in varve.json.',
    );
  }
}

export const embedderCheck: Check = {
  name: "embedder",
  async run(loaded) {
    const { embedder } = loaded.config;
    if (typeof embedder === "object" && "model" in embedder)
      return reach(resolveEndpoint({ protocol: "openai", ...embedder }, process.env));
    const made = await configuredEmbedder(loaded, process.env);
    const [vector] = await made.embed(["Is this thing on?"]);
    await made.close?.();
    return ok(`${made.name}, ${vector?.length} numbers a text`);
  },
};
