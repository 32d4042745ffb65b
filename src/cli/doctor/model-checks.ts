/** Checks of what is asked over the network, or computed. */
import { configuredStrategy } from "../../config/configured.js";
import { configuredEmbedder, configuredSummariser } from "../../config/parts.js";
import { type ResolvedEndpoint, resolveEndpoint } from "../../config/providers.js";
import { findModel } from "../../tokens/models.js";
import { resolveStrategy } from "../../view/strategies/registry.js";
import { countOf } from "../terminal/format.js";
import { type Check, type CheckResult, failed, ok, warning } from "./check.js";

export const windowCheck: Check = {
  name: "window",
  async run({ config: { model, window, chat } }) {
    if (window !== undefined) return ok(`${countOf(window, "token")}, as configured`);
    const name = model ?? chat?.model;
    const set = 'Set "window" in varve.json, such as 128000, or "model" to one that is known.';
    if (name === undefined) return warning("neither a window nor a model is configured", set);
    const known = findModel(name);
    if (known === undefined) return failed(`the model ${name} is not known, and no window is configured`, set);
    return ok(`${countOf(known.window, "token")}, as ${known.id} has`);
  },
};

const PATIENCE = 3_000;

export const chatCheck: Check = {
  name: "chat",
  async run({ config: { chat, model }, allow }) {
    const name = chat?.model ?? model;
    if (chat === undefined || name === undefined) return ok("no model configured: only `varve chat` needs one");
    await allow("chat");
    return reach(resolveEndpoint({ ...chat, model: name }, process.env));
  },
};

export const summariserCheck: Check = {
  name: "summariser",
  async run(loaded) {
    const { summariser, chat } = loaded.config;
    if (typeof summariser !== "object") return ok("none configured: digests are made of the log's own words");
    if (!("plugin" in summariser)) {
      await loaded.allow("summariser", "chat");
      return reach(resolveEndpoint({ ...chat, ...summariser }, process.env));
    }
    const made = await configuredSummariser(loaded, process.env);
    return ok(`${made?.name}, of a plug-in`);
  },
};

/** Makes the strategy as a session would, with its plug-ins loaded. */
export const strategyCheck: Check = {
  name: "strategy",
  async run(loaded) {
    const made = await configuredStrategy(loaded);
    const count = loaded.config.plugins?.length ?? 0;
    const { name } = resolveStrategy(made);
    const asked = loaded.config.strategy === name ? name : `${loaded.config.strategy}, which is ${name}`;
    return ok(count === 0 ? asked : `${asked}; ${countOf(count, "plug-in")} loaded`);
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
    await loaded.allow("embedder");
    if (typeof embedder === "object" && "model" in embedder)
      return reach(resolveEndpoint({ protocol: "openai", ...embedder }, process.env));
    const made = await configuredEmbedder(loaded, process.env);
    const [vector] = await made.embed(["Is this thing on?"]);
    await made.close?.();
    return ok(`${made.name}, ${vector?.length} numbers a text`);
  },
};
