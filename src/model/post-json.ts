import { isObject, type WireObject } from "../wire/value.js";
import { ProviderError } from "./model-error.js";

export type Fetch = typeof globalThis.fetch;

export interface JsonRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Never shown in an error, should the provider repeat it. */
  readonly secret?: string;
}

/** Sends JSON and reads the JSON object that comes back; anything else is a {@link ProviderError}. */
export async function postJson(request: JsonRequest, send: Fetch, signal: AbortSignal): Promise<WireObject> {
  const response = await send(request.url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...request.headers },
    body: JSON.stringify(request.body),
    signal,
  });
  const text = await response.text();
  const answer = parseObject(text);
  if (response.ok && answer !== undefined && !answer.error) return answer;
  throw providerError(response, concealed(text, request.secret), answer);
}

export function parseObject(text: string): WireObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function providerError(response: Response, body: string, answer: WireObject | undefined): ProviderError {
  const said = answer === undefined ? undefined : errorMessage(parseObject(body) ?? answer);
  return new ProviderError({
    message: said ?? (response.ok ? "the answer is not JSON" : `HTTP ${response.status} ${response.statusText}`.trim()),
    ...(!response.ok && { status: response.status }),
    body: body.slice(0, 8_000),
    headers: Object.fromEntries(response.headers),
  });
}

function errorMessage({ error, message, detail }: WireObject): string | undefined {
  const candidates = [isObject(error) ? error.message : error, message, detail];
  return candidates.find((candidate): candidate is string => typeof candidate === "string" && candidate !== "");
}

export const concealed = (text: string, secret: string | undefined): string =>
  secret === undefined || secret.length < 8 ? text : text.replaceAll(secret, () => "[key]");
