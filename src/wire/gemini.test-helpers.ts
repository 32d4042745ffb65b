import fc from "fast-check";
import { base64, id, name, object, partial, someText, text, withUnknown } from "./wire.test-helpers.js";

const thoughtSignature = base64;
const mimeType = fc.constantFrom("image/png", "application/pdf", "audio/wav", "video/mp4");

const textPart = (content: fc.Arbitrary<string>) =>
  partial({ text: content, thought: fc.boolean(), thoughtSignature }, ["text"]);
const inlinePart = partial(
  { inlineData: partial({ mimeType, data: base64 }, ["mimeType", "data"]), thought: fc.boolean(), thoughtSignature },
  ["inlineData"],
);
const fileUri = fc.constantFrom("gs://bucket/a.mp4", "https://a.example/b.png", "https://a.example/c");
const filePart = partial({ fileData: partial({ fileUri, mimeType }, ["fileUri"]), videoMetadata: object }, [
  "fileData",
]);
const codePart = fc.oneof(
  fc.record({ executableCode: fc.record({ language: fc.constant("PYTHON"), code: text }) }),
  fc.record({ codeExecutionResult: fc.record({ outcome: fc.constant("OUTCOME_OK"), output: text }) }),
  fc.record({ hologram: object }),
);
const callPart = partial({ functionCall: partial({ id, name, args: object }, ["name"]), thoughtSignature }, [
  "functionCall",
]);
const responsePart = partial(
  { functionResponse: partial({ id, name, response: object, parts: fc.array(object) }, ["name"]) },
  ["functionResponse"],
);

const plainPart = (content: fc.Arbitrary<string>) => fc.oneof(textPart(content), inlinePart, filePart, codePart);
const userPart = (content: fc.Arbitrary<string>) => fc.oneof(plainPart(content), responsePart);
const modelPart = (content: fc.Arbitrary<string>) => fc.oneof(plainPart(content), { weight: 2, arbitrary: callPart });

const userParts = fc.array(userPart(someText), { minLength: 1, maxLength: 4 });
const modelParts = fc.array(modelPart(someText), { minLength: 1, maxLength: 4 });
const user = withUnknown(fc.record({ role: fc.constant("user"), parts: userParts }));
const model = withUnknown(fc.record({ role: fc.constant("model"), parts: modelParts }));
const instructionPart = withUnknown(fc.record({ text: someText }));
const systemInstruction = fc.oneof(
  someText,
  fc.array(instructionPart, { minLength: 1, maxLength: 2 }),
  partial({ role: fc.constant("system"), parts: fc.array(instructionPart, { minLength: 1, maxLength: 3 }) }, ["parts"]),
);

/** What the API accepts: roles in turn, nothing empty. */
export const geminiPrompt: fc.Arbitrary<object> = fc.record(
  { systemInstruction, contents: fc.array(fc.tuple(user, model), { maxLength: 3 }).map((turns) => turns.flat()) },
  { requiredKeys: ["contents"] },
);

/** What programs send: any order, roles left out, empty texts. */
export const loosePrompt: fc.Arbitrary<object> = fc.record({
  contents: fc.array(
    fc.oneof(
      partial({ role: fc.constantFrom("user", "function"), parts: fc.array(userPart(text), { maxLength: 3 }) }, []),
      partial({ role: fc.constant("model"), parts: fc.array(modelPart(text), { maxLength: 3 }) }, ["role"]),
    ),
    { maxLength: 6 },
  ),
});
