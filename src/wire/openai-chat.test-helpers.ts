import fc from "fast-check";
import { openaiChatFaults } from "./legality/openai-chat.js";
import type { OpenAIMessage } from "./openai-chat-types.js";
import {
  argumentsText,
  base64,
  id,
  mediaType,
  name,
  object,
  partial,
  text,
  unknownPart,
  unmended,
  url,
  withUnknown,
} from "./wire.test-helpers.js";

const dataURL = fc.tuple(mediaType, base64).map(([type, data]) => `data:${type};base64,${data}`);

const textPart = withUnknown(fc.record({ type: fc.constant("text"), text }));
const imagePart = withUnknown(
  fc.record({
    type: fc.constant("image_url"),
    image_url: fc.record(
      { url: fc.oneof(url, dataURL, text), detail: fc.constantFrom("low", "high", "auto") },
      { requiredKeys: ["url"] },
    ),
  }),
);
const audioPart = fc.record({
  type: fc.constant("input_audio"),
  input_audio: fc.record({ data: base64, format: fc.constantFrom("wav", "mp3", "flac", "mpeg") }),
});
const filePart = withUnknown(
  fc.record({
    type: fc.constant("file"),
    file: fc.record({ file_data: dataURL, file_id: id, filename: name }, { requiredKeys: [] }),
  }),
);
const refusalPart = withUnknown(fc.record({ type: fc.constant("refusal"), refusal: text }));

const anyPart = fc.oneof(textPart, imagePart, audioPart, filePart, unknownPart, fc.string());
const absent = fc.constantFrom(null, "");
const systemMessage = partial(
  { role: fc.constantFrom("system", "developer"), content: fc.oneof(text, absent, fc.array(textPart)), name },
  ["role", "content"],
);
const userMessage = partial({ role: fc.constant("user"), content: fc.oneof(text, absent, fc.array(anyPart)), name }, [
  "role",
]);

const functionCall = partial(
  {
    id,
    type: fc.constant("function"),
    function: partial({ name, arguments: fc.oneof(argumentsText, object, fc.constant(null)) }, ["name"]),
  },
  ["function"],
);
const customCall = partial({ id, type: fc.constant("custom"), custom: withUnknown(fc.record({ name, input: text })) }, [
  "type",
  "custom",
]);
const call = fc.oneof({ weight: 5, arbitrary: functionCall }, customCall, unknownPart);

const assistantMessage = partial(
  {
    role: fc.constant("assistant"),
    content: fc.oneof(text, absent, fc.array(fc.oneof(textPart, refusalPart, unknownPart), { maxLength: 3 })),
    tool_calls: fc.oneof(fc.array(call, { maxLength: 3 }), fc.constant(null)),
    function_call: fc.oneof(fc.constant(null), partial({ name, arguments: argumentsText }, ["name", "arguments"])),
    refusal: fc.oneof(fc.constant(null), text),
    reasoning_content: fc.oneof(fc.constant(null), text),
    reasoning: fc.oneof(fc.constant(null), text),
    name,
    audio: fc.record({ id }),
    annotations: fc.array(object),
    usage: object,
  },
  ["role"],
);
const toolMessage = partial(
  { role: fc.constant("tool"), tool_call_id: id, name, content: fc.oneof(text, absent, fc.array(anyPart)) },
  ["role"],
);
const functionMessage = partial({ role: fc.constant("function"), name, content: fc.oneof(text, absent) }, [
  "role",
  "name",
]);

/** What the API accepts: the assistant says or calls something, and no list is empty. */
export const openAIMessages: fc.Arbitrary<object[]> = unmended(
  fc.array(
    fc.oneof(systemMessage, userMessage, { weight: 2, arbitrary: assistantMessage }, toolMessage, functionMessage),
    { maxLength: 6 },
  ),
  (messages) => openaiChatFaults(messages as OpenAIMessage[]),
  ["blank-message", "empty-calls", "tool-name"],
);
