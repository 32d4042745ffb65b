import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicEvents, LAST_PIECE, openaiEvents, type Spoken } from "./model-events.js";

/**
 * A stand-in for paid models that speaks their wire protocols on loopback: OpenAI's chat completions and Anthropic's
 * messages, whole or streamed as the request asks. Each request takes the next answer of the script; the last one is
 * given again and again.
 */
export type Answer =
  | Spoken
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | { readonly drop: "at once" | "in the middle" };

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Readonly<Record<string, unknown>>;
  readonly system: string;
  readonly prompt: string;
}

export interface ModelServer {
  /** Without a version. */
  readonly url: string;
  readonly requests: ReceivedRequest[];
  close(): Promise<void>;
}

export type Script = readonly Answer[] | ((request: ReceivedRequest) => Answer);

export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];
  const answerTo = (request: ReceivedRequest): Answer =>
    typeof script === "function" ? script(request) : script[Math.min(requests.length, script.length) - 1]!;
  const server = createServer(async (incoming, outgoing) => {
    const request = await received(incoming);
    requests.push(request);
    give(answerTo(request), request, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => closed(server) };
}

async function closed(server: Server): Promise<void> {
  if (!server.listening) return;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

async function received(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as ReceivedRequest["body"];
  const messages = body.messages as readonly { role: string; content: string }[];
  const said = (role: string): string => messages.find((message) => message.role === role)?.content ?? "";
  const system = typeof body.system === "string" ? body.system : said("system");
  return { path: incoming.url ?? "", headers: incoming.headers, body, system, prompt: said("user") };
}

function give(answer: Answer, request: ReceivedRequest, outgoing: ServerResponse): void {
  if ("drop" in answer) drop(answer.drop, outgoing);
  else if ("status" in answer) fail(answer, outgoing);
  else if (request.body.stream === true) stream(answer, request, outgoing);
  else setTimeout(() => send(outgoing, 200, completion(answer, request)), answer.after ?? 0).unref();
}

function drop(when: "at once" | "in the middle", outgoing: ServerResponse): void {
  if (when === "at once") {
    outgoing.socket?.destroy();
    return;
  }
  outgoing.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  outgoing.write('{"choices":[{"mess', () => outgoing.socket?.destroy());
}

function fail({ status, body, headers }: Extract<Answer, { status: number }>, outgoing: ServerResponse): void {
  for (const [name, value] of Object.entries(headers ?? {})) outgoing.setHeader(name, value);
  send(outgoing, status, body ?? { error: { message: `status ${status}`, type: "error" } });
}

function send(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": typeof body === "string" ? "text/html" : "application/json" });
  outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
}

function stream(answer: Spoken, { path }: ReceivedRequest, outgoing: ServerResponse): void {
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  const events = path.endsWith("/messages") ? anthropicEvents(answer) : openaiEvents(answer);
  if (answer.half === undefined) {
    for (const event of events) outgoing.write(event);
    outgoing.end();
    return;
  }
  const sent = events.slice(
    0,
    events.findIndex((event) => event.includes(LAST_PIECE)),
  );
  outgoing.write(sent.join(""), () => answer.half === "dropped" && outgoing.socket?.destroy());
}

const completion = (answer: Spoken, { path }: ReceivedRequest): object =>
  path.endsWith("/messages") ? anthropicMessage(answer) : chatCompletion(answer);

const chatCompletion = ({ text, finish = "stop", reasoning }: Spoken): object => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: text, ...(reasoning && { reasoning_content: reasoning }) },
      finish_reason: finish,
    },
  ],
  usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
});

const anthropicMessage = ({ text, finish = "stop", reasoning }: Spoken): object => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  content: [
    ...(reasoning ? [{ type: "thinking", thinking: reasoning, signature: "sig" }] : []),
    ...(text ? [{ type: "text", text }] : []),
  ],
  stop_reason: finish === "length" ? "max_tokens" : "end_turn",
  usage: { input_tokens: 9, cache_read_input_tokens: 2, output_tokens: 7 },
});
