import type { WireObject } from "../wire/value.js";
import { ProviderError } from "./model-error.js";
import { concealed, type Fetch, type JsonRequest, parseObject, providerError } from "./post-json.js";
import { serverEvents } from "./server-events.js";

const DONE = "[DONE]";

/**
 * Sends JSON and reads the objects that stream back. A server that does not stream answers with one object. What fails on
 * the way is a {@link ProviderError}.
 */
export async function* postStream(request: JsonRequest, send: Fetch, signal: AbortSignal): AsyncGenerator<WireObject> {
  const response = await send(request.url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", ...request.headers },
    body: JSON.stringify(request.body),
    signal,
  });
  if (!response.ok || response.body === null || !isStream(response)) {
    yield await readWhole(response, request.secret);
    return;
  }
  for await (const data of serverEvents(response.body)) {
    if (data === DONE) return;
    yield readEvent(data, response, request.secret);
  }
}

const isStream = ({ headers }: Response): boolean => (headers.get("content-type") ?? "").includes("event-stream");

async function readWhole(response: Response, secret: string | undefined): Promise<WireObject> {
  const text = await response.text();
  const answer = parseObject(text);
  if (response.ok && answer !== undefined && !answer.error) return answer;
  throw providerError(response, concealed(text, secret), answer);
}

/** An error may come in the middle of an answer that began well. */
function readEvent(data: string, response: Response, secret: string | undefined): WireObject {
  const event = parseObject(data);
  if (event === undefined) throw new ProviderError({ message: "an event of the answer is not JSON" });
  if (event.error) throw providerError(response, concealed(data, secret), event);
  return event;
}

/** What a stream that ended too early is taken for: a connection that was lost. */
export const endedEarly = (): ProviderError =>
  new ProviderError({ message: "the connection closed before the answer was complete" });
