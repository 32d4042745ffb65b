import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ToolMessage } from "../message/types.js";
import { fromGemini, toGemini } from "./gemini.js";
import { geminiPrompt } from "./gemini.test-helpers.js";
import { isObject } from "./value.js";

const NAMES = ["systemInstruction", "functionCall", "functionResponse", "inlineData", "fileData"];
const FIELDS = ["thoughtSignature", "mimeType", "fileUri"];
const KNOWN = new Set([...NAMES, ...FIELDS]);
const snake = (name: string) =>
  KNOWN.has(name) ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;

/** The names of fields in snake case, but not those in arguments and responses. */
function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      snake(name),
      name === "args" || name === "response" ? field : snakeCased(field),
    ]),
  );
}

describe("a Gemini prompt in snake case", () => {
  test("is read like one in camel case, and written as it came", () => {
    fc.assert(
      fc.property(geminiPrompt, (prompt) => {
        const spelled = snakeCased(prompt);
        const shape = (wire: unknown) =>
          fromGemini(wire).map(({ role, content }) => [
            role,
            typeof content === "string" ? content : content.map(({ type }) => type),
          ]);
        expect(shape(spelled)).toEqual(shape(prompt));
        expect(toGemini(fromGemini(spelled))).toEqual(spelled);
      }),
    );
  });

  test("keeps its system prompt, its calls, their results and its media", () => {
    const prompt = {
      system_instruction: { parts: [{ text: "Be brief." }] },
      contents: [
        { role: "user", parts: [{ inline_data: { mime_type: "image/png", data: "AAAA" } }] },
        { role: "model", parts: [{ function_call: { name: "f", args: {} }, thought_signature: "s" }] },
        { role: "user", parts: [{ function_response: { name: "f", response: { output: "x" } } }] },
      ],
    };
    const messages = fromGemini(prompt);
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(messages[1]?.content).toMatchObject([{ type: "image", mediaType: "image/png" }]);
    expect(messages[2]?.content).toMatchObject([{ providerOptions: { google: { thoughtSignature: "s" } } }]);
    expect((messages[3] as ToolMessage).content).toMatchObject([{ toolCallId: "call_1_0", toolName: "f" }]);
    expect(toGemini(messages)).toEqual(prompt);
  });
});
