import { geminiBreaches } from "../../fuzz/rules/gemini.js";
import { Breaches, type Item, isItem, itemsOf, leaves, textOf } from "../../fuzz/rules/request.js";
import { type Answer, event, type Piece, type Protocol, toolPiece, written } from "../protocol.js";
import type { Saying } from "../script.js";

/** For calls that Gemini did not make: docs, Thought signatures. */
const FOREIGN = "skip_thought_signature_validator";

/** Gemini 3, which signs the first call of each step and wants the signature back within the turn. */
export function geminiProtocol(): Protocol {
  const signed = new Map<string, string>();
  return {
    pieces,
    breaches: ({ body }) => {
      const breaches = new Breaches();
      for (const [at, call, signature] of firstCalls(body)) {
        const known = signed.get(signature);
        // "Function call is missing a thought_signature in functionCall parts"; "Corrupted thought signature".
        const isValid = signature === FOREIGN || (known !== undefined && known === textOf(call.name));
        breaches.demand(isValid, "thought-signature", [at, call]);
      }
      return [...geminiBreaches(body), ...breaches.found];
    },
    isStreamed: ({ path }) => path.includes(":streamGenerateContent"),
    answer: (_, saying, step) => {
      const signature = Buffer.from(`signature of step ${step}`).toString("base64");
      if (saying.calls[0] !== undefined) signed.set(signature, saying.calls[0].name);
      return answerOf(saying, signature);
    },
  };
}

/** Of the running turn the first call of each step, with its place and its signature. */
function firstCalls(body: Item): (readonly [string, Item, string])[] {
  const contents = itemsOf(body.contents);
  const start = contents.findLastIndex(
    ({ role, parts }) =>
      role === "user" && itemsOf(parts).some(({ functionResponse }) => functionResponse === undefined),
  );
  return contents.flatMap(({ role, parts }, at) => {
    const first = role === "model" ? itemsOf(parts).find(({ functionCall }) => isItem(functionCall)) : undefined;
    if (at < start || !isItem(first?.functionCall)) return [];
    return [[`contents.${at}`, first.functionCall, textOf(first.thoughtSignature)]];
  });
}

function pieces({ systemInstruction, tools, contents }: Item): Piece[] {
  const declared = itemsOf(tools).flatMap(({ functionDeclarations }) => itemsOf(functionDeclarations));
  const instruction = isItem(systemInstruction) ? [systemInstruction] : [];
  return [
    ...declared.map((tool) => toolPiece(tool, tool.parametersJsonSchema ?? tool.parameters)),
    ...[...instruction, ...itemsOf(contents)].map(pieceOf),
  ];
}

function pieceOf(content: Item): Piece {
  const parts = itemsOf(content.parts);
  const calls = parts.filter(({ functionCall }) => functionCall !== undefined).length;
  const results = parts.filter(({ functionResponse }) => functionResponse !== undefined).length;
  return { written: written(content), texts: parts.flatMap(textsOf), messages: Math.max(1, results), calls };
}

function textsOf({ text, functionCall, functionResponse }: Item): string[] {
  if (isItem(functionCall)) return [textOf(functionCall.name), JSON.stringify(functionCall.args ?? {})];
  return isItem(functionResponse) ? leaves(functionResponse.response) : [textOf(text)];
}

function answerOf({ text, thought, calls }: Saying, thoughtSignature: string): Answer {
  const spoken = [
    { text: thought, thought: true },
    ...(text === "" ? [] : [{ text, ...(calls.length === 0 && { thoughtSignature }) }]),
  ];
  const called = calls.map(({ id, name, input }, at) => ({
    functionCall: { id, name, args: input },
    ...(at === 0 && { thoughtSignature }),
  }));
  const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 7, totalTokenCount: 16 };
  const chunk = (parts: readonly object[], more: object = {}) => ({
    candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
    usageMetadata,
    modelVersion: "gemini",
  });
  const end = { finishReason: "STOP" };
  const events = [...[...spoken, ...called].map((part) => event(chunk([part]))), event(chunk([{ text: "" }], end))];
  return { whole: chunk([...spoken, ...called], end), events };
}
