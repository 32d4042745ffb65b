import { invalidOption } from "../errors.js";

/** The lines of a text that comes in pieces, without their breaks; empty ones and the mark of an encoding are passed over. */
export async function* linesOf(text: AsyncIterable<string | Uint8Array> | Iterable<string>): AsyncGenerator<string> {
  if (typeof text !== "string" && !isInPieces(text))
    throw invalidOption({ option: "text", value: text, allowed: "what export() wrote, as lines or in pieces" });
  const decoder = new TextDecoder();
  let rest = "";
  let isFirst = true;
  for await (const piece of text) {
    rest += typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
    if (isFirst && rest !== "") {
      rest = rest.replace(/^\uFEFF/, "");
      isFirst = false;
    }
    const lines = rest.split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line !== "") yield line;
  }
  if (rest !== "") yield rest;
}

const isInPieces = (text: unknown): boolean =>
  typeof text === "object" && text !== null && (Symbol.iterator in text || Symbol.asyncIterator in text);
