import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** What a stand-in for paid embedding servers is asked, over the real protocol on loopback. */
export interface EmbeddingsRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Readonly<Record<string, unknown>> & { readonly input: readonly string[] };
}

export interface EmbeddingsAnswer {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until it comes. */
  readonly after?: number;
}

export interface EmbeddingsServer {
  readonly baseURL: string;
  readonly requests: EmbeddingsRequest[];
  close(): Promise<void>;
}

/** Answers each request by the function given. */
export async function startEmbeddingsServer(
  answerTo: (request: EmbeddingsRequest, count: number) => EmbeddingsAnswer,
): Promise<EmbeddingsServer> {
  const requests: EmbeddingsRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const request = await received(incoming);
    const { status = 200, body, headers = {}, after = 0 } = answerTo(request, requests.push(request));
    setTimeout(() => {
      outgoing.writeHead(status, { "content-type": "application/json", ...headers });
      outgoing.end(JSON.stringify(body));
    }, after).unref();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { baseURL: `http://127.0.0.1:${port}/v1`, requests, close };
}

async function received(incoming: IncomingMessage): Promise<EmbeddingsRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as EmbeddingsRequest["body"];
  return { path: incoming.url ?? "", headers: incoming.headers, body };
}
