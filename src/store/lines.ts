import { invalidOption, tooLarge, type VarveError } from "../errors.js";

/** The lines of a text that comes in pieces, without their breaks; empty ones and the mark of an encoding are passed over. */
export async function* linesOf(text: AsyncIterable<string | Uint8Array> | Iterable<string>): AsyncGenerator<string> {
  if (typeof text !== "string" && !isInPieces(text)) throw noText(text);
  const decoder = new TextDecoder();
  let held: string[] = [];
  let length = 0;
  let isFirst = true;
  for await (const piece of text) {
    if (typeof piece !== "string" && !ArrayBuffer.isView(piece)) throw noText(piece);
    let rest = typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
    if (isFirst && rest !== "") {
      rest = rest.replace(/^\uFEFF/, "");
      isFirst = false;
    }
    for (const [at, part] of rest.split("\n").entries()) {
      if (at > 0) {
        if (length > 0) yield held.join("");
        [held, length] = [[], 0];
      }
      length += part.length;
      if (length > LONGEST)
        throw tooLarge("A line of the import", LONGEST, "Make the export again, or import it in parts.");
      held.push(part);
    }
  }
  if (length > 0) yield held.join("");
}

/** Shorter than the longest text that the engine can hold, and longer than any line of an export. */
const LONGEST = 400_000_000;

const noText = (value: unknown): VarveError =>
  invalidOption({ option: "text", value, allowed: "what export() wrote, as lines or in pieces" });

const isInPieces = (text: unknown): boolean =>
  typeof text === "object" && text !== null && (Symbol.iterator in text || Symbol.asyncIterator in text);
