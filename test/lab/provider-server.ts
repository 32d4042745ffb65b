import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isItem } from "../fuzz/rules/request.js";
import { tokensOf } from "./count-request.js";
import type { Piece, Protocol, Request } from "./protocol.js";
import { sayingAt } from "./script.js";

/** Of the price of input: what is read from the cache, and what is written to it. */
const CACHED = 0.1;
const FRESH = 1.25;

/** What came in so far. */
export interface Account {
  requests: number;
  streamed: number;
  /** Why a request was refused, with the place. */
  readonly refused: string[];
  /** Requests larger than the window; they are refused as well. */
  over: number;
  largest: number;
  /** Tokens at the price of input, with a cache of the request before. */
  bill: number;
}

export interface ProviderServer {
  /** Without a version. */
  readonly url: string;
  readonly account: Account;
  readonly close: () => Promise<void>;
}

/**
 * A provider's API on loopback with a scripted model. It refuses what the provider refuses, and what is larger than the
 * window by a count of the request that came in.
 */
export async function startProviderServer(protocol: Protocol, window: number): Promise<ProviderServer> {
  const account: Account = { requests: 0, streamed: 0, refused: [], over: 0, largest: 0, bill: 0 };
  const conversation = new Conversation(protocol, { window, account });
  // A connection that the server closes after a while may be taken up again at that very moment.
  const server = createServer({ keepAliveTimeout: 0 }, async (incoming, outgoing) =>
    conversation.take(await received(incoming), outgoing),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${address.port}`, account, close };
}

async function received(incoming: IncomingMessage): Promise<Request> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
  return { path: incoming.url ?? "", headers: incoming.headers, body: isItem(body) ? body : {} };
}

class Conversation {
  readonly #protocol: Protocol;
  readonly #window: number;
  readonly #account: Account;
  #last: readonly Piece[] = [];

  constructor(protocol: Protocol, { window, account }: { window: number; account: Account }) {
    this.#protocol = protocol;
    this.#window = window;
    this.#account = account;
  }

  take(request: Request, outgoing: ServerResponse): void {
    const account = this.#account;
    const step = account.requests++;
    const refusal = this.#refusal(request);
    if (refusal !== undefined) {
      account.refused.push(`step ${step}: ${refusal}`);
      send(outgoing, 400, { type: "error", error: { type: "invalid_request_error", code: 400, message: refusal } });
      return;
    }
    const answer = this.#protocol.answer(request, sayingAt(step), step);
    if (!this.#protocol.isStreamed(request)) {
      send(outgoing, 200, answer.whole);
      return;
    }
    account.streamed++;
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.end(answer.events.join(""));
  }

  #refusal(request: Request): string | undefined {
    const tokens = this.#charge(this.#protocol.pieces(request.body));
    const [breach] = this.#protocol.breaches(request);
    if (breach !== undefined) return `${breach.rule} at ${breach.at}: ${JSON.stringify(breach.excerpt)}`.slice(0, 600);
    if (tokens <= this.#window) return undefined;
    this.#account.over++;
    return `prompt is too long: ${tokens} tokens > ${this.#window} maximum`;
  }

  /** Puts a request on the bill; its tokens. */
  #charge(pieces: readonly Piece[]): number {
    const account = this.#account;
    let same = 0;
    while (same < pieces.length && pieces[same]?.written === this.#last[same]?.written) same++;
    const sum = (part: readonly Piece[]) => part.reduce((tokens, piece) => tokens + tokensOf(piece), 0);
    const [cached, fresh] = [sum(pieces.slice(0, same)), sum(pieces.slice(same))];
    this.#last = pieces;
    account.bill += CACHED * cached + FRESH * fresh;
    account.largest = Math.max(account.largest, cached + fresh);
    return cached + fresh;
  }
}

function send(outgoing: ServerResponse, status: number, body: object): void {
  outgoing.writeHead(status, { "content-type": "application/json" });
  outgoing.end(JSON.stringify(body));
}
