import type { Message } from "../message/types.js";
import { findIdentifiers, type Identifier } from "./identifiers.js";
import { type Piece, piecesOf, type Source } from "./pieces.js";

/** What a piece of a message names. */
export interface Mentions {
  readonly source: Source;
  readonly identifiers: readonly string[];
  /** Those of a call that are an argument by themselves: the file to read, the name to give. */
  readonly whole: readonly string[];
}

/** Identifiers of one piece of text beyond these are left to search. */
const MOST = 1_200;

/** The identifiers of a message, by who named them. */
export const mentionsOf = (message: Message): Mentions[] =>
  piecesOf(message)
    .map(mentionsIn)
    .filter(({ identifiers }) => identifiers.length > 0);

function mentionsIn({ text, source }: Piece): Mentions {
  const found = new Map<string, boolean>();
  for (const identifier of findIdentifiers(text)) {
    if (identifier.start === 0 && source === "call") continue; // the tool's own name
    const fills = source === "call" && fillsString(text, identifier);
    found.set(identifier.text, fills || found.get(identifier.text) === true);
    if (found.size >= MOST) break;
  }
  const identifiers = [...found.keys()];
  return { source, identifiers, whole: identifiers.filter((each) => found.get(each)) };
}

/** Whether an identifier fills a string of JSON. */
const fillsString = (text: string, { start, end }: Identifier): boolean =>
  text[start - 1] === '"' && text[start - 2] !== "\\" && text[end] === '"';
