import { type Breach, Breaches, type Item, isItem, itemsOf, leaves, textOf } from "./request.js";

/** "Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain _ . : -, … length of 64" (ccs#25). */
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

/** Docs, Image, Audio, Video and Document understanding, what may be sent inline: "Unsupported MIME type: image/gif". */
const INLINE = /^(?:image\/(?:png|jpeg|webp|heic|heif)|audio\/|video\/|text\/|application\/pdf$)/;

/** What Gemini's `generateContent` refuses. */
export function geminiBreaches({ systemInstruction, contents }: Item): Breach[] {
  const breaches = new Breaches();
  const turns = itemsOf(contents);
  // "contents is not specified"; "Please ensure that multiturn requests alternate", the user first.
  breaches.demand(turns.length > 0, "no-messages", ["contents", turns.length]);
  if (turns.length > 0) breaches.demand(turns[0]?.role === "user", "first-not-user", ["contents.0", turns[0]]);
  if (isItem(systemInstruction)) checkParts(systemInstruction, "systemInstruction", breaches);
  let called: string[] = [];
  for (const [at, turn] of turns.entries()) {
    const place = `contents.${at}`;
    breaches.demand(turn.role === "user" || turn.role === "model", "role", [place, turn.role]);
    checkParts(turn, place, breaches);
    const answered = namesOf(turn, "functionResponse");
    // "Please ensure that the number of function response parts is equal to the number of function call parts of the
    // function call turn" (gemini-cli#4217), and "that function response turn comes immediately after a function call".
    breaches.demand(sameTexts(called, answered), "pairing", [place, { called, answered }]);
    called = turn.role === "model" ? namesOf(turn, "functionCall") : [];
    // "Please ensure that function call turn comes immediately after a user turn or after a function response turn"
    // (gemini-cli#11814).
    if (called.length > 0) breaches.demand(turns[at - 1]?.role === "user", "call-out-of-turn", [place, turn]);
  }
  breaches.demand(called.length === 0, "pairing", ["end", called]);
  return breaches.found;
}

const namesOf = ({ parts }: Item, kind: string): string[] =>
  itemsOf(parts).flatMap((part) => (isItem(part[kind]) ? [textOf(part[kind].name)] : []));

const sameTexts = (first: readonly string[], second: readonly string[]): boolean =>
  JSON.stringify([...first].sort()) === JSON.stringify([...second].sort());

const DATA = ["text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode"];

function checkParts({ parts }: Item, at: string, breaches: Breaches): void {
  // "GenerateContentRequest.contents[0].parts: contents.parts must not be empty".
  breaches.demand(itemsOf(parts).length > 0, "empty-content", [at, parts]);
  for (const part of itemsOf(parts)) {
    // "contents.parts.data: required oneof field 'data' must have one initialized field": an empty text is none.
    const isSet = DATA.some((field) => part[field] !== undefined && part[field] !== "");
    breaches.demand(isSet || part.thoughtSignature !== undefined, "empty-part", [at, part]);
    checkUse(part, at, breaches);
    const inline = isItem(part.inlineData) ? part.inlineData : undefined;
    const isKnown = inline === undefined || INLINE.test(textOf(inline.mimeType));
    breaches.demand(isKnown && inline?.data !== "", "media-type", [at, inline?.mimeType]);
  }
}

function checkUse({ functionCall, functionResponse }: Item, at: string, breaches: Breaches): void {
  for (const use of [functionCall, functionResponse]) {
    if (!isItem(use)) continue;
    breaches.demand(NAME.test(textOf(use.name)), "name-form", [at, use]);
    // `args` and `response` are of the type Struct.
    const fields = use === functionCall ? (use.args ?? {}) : use.response;
    breaches.demand(isItem(fields), "struct-form", [at, use]);
  }
}

/** The texts that the model reads, content by content. */
export const geminiTexts = ({ systemInstruction, contents }: Item): string[] =>
  [...(isItem(systemInstruction) ? [systemInstruction] : []), ...itemsOf(contents)].map(({ parts }) =>
    itemsOf(parts)
      .flatMap(({ text, functionCall, functionResponse }) => [
        textOf(text),
        ...(isItem(functionCall) ? [textOf(functionCall.name), ...leaves(functionCall.args)] : []),
        ...(isItem(functionResponse) ? Object.values(functionResponse.response ?? {}).flatMap(leaves) : []),
      ])
      .join(""),
  );
