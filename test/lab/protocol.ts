/** What the server of a provider knows of its wire format. It reads requests as they are sent and nothing of `src/`. */
import type { IncomingHttpHeaders } from "node:http";
import { type Breach, type Item, textOf } from "../fuzz/rules/request.js";
import type { Saying } from "./script.js";

export interface Request {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Item;
}

/** A piece of a request that a cache holds as one: tools, a system prompt or a message. */
export interface Piece {
  readonly written: string;
  /** What the model reads of it. */
  readonly texts: readonly string[];
  readonly messages: number;
  /** Tools as well: a call takes as much as the frame of a declared tool. */
  readonly calls: number;
}

export interface Answer {
  readonly whole: object;
  /** The same as server-sent events, with their line breaks. */
  readonly events: readonly string[];
}

/** One conversation with a provider: it knows what it has signed. */
export interface Protocol {
  readonly pieces: (body: Item) => readonly Piece[];
  readonly breaches: (request: Request) => readonly Breach[];
  readonly isStreamed: (request: Request) => boolean;
  readonly answer: (request: Request, saying: Saying, step: number) => Answer;
}

export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

/** The halves of a text, as a stream gives them. */
export const halves = (text: string): readonly [string, string] => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
};

/** How a request is cached and its answer streamed is no part of what is said. */
const TRANSPORT: readonly string[] = ["cache_control", "eager_input_streaming"];

/** A piece of a request as JSON, without what is transport. */
export const written = (value: unknown): string =>
  JSON.stringify(value, (name, field: unknown) => (TRANSPORT.includes(name) ? undefined : field)) ?? "";

/** A tool as the model reads it: what it is called, what it is for, and what it takes. */
export const toolPiece = (tool: Item, schema: unknown): Piece => ({
  written: written(tool),
  texts: [textOf(tool.name), textOf(tool.description), JSON.stringify(schema)],
  messages: 0,
  calls: 1,
});
