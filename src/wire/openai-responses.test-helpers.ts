import fc from "fast-check";
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
  url,
  withUnknown,
} from "./wire.test-helpers.js";

const dataURL = fc.tuple(mediaType, base64).map(([type, data]) => `data:${type};base64,${data}`);
const detail = fc.constantFrom("low", "high", "auto");
const optionalId = fc.oneof(id, fc.constant(null));

const inputPart = fc.oneof(
  withUnknown(fc.record({ type: fc.constant("input_text"), text })),
  partial({ type: fc.constant("input_image"), image_url: fc.oneof(url, dataURL), file_id: optionalId, detail }, [
    "type",
  ]),
  partial({ type: fc.constant("input_file"), file_data: dataURL, file_url: url, file_id: optionalId, filename: name }, [
    "type",
  ]),
  unknownPart,
);
const outputPart = fc.oneof(
  partial({ type: fc.constant("output_text"), text, annotations: fc.array(object), logprobs: fc.array(object) }, [
    "type",
    "text",
  ]),
  withUnknown(fc.record({ type: fc.constant("refusal"), refusal: text })),
  unknownPart,
);
const status = fc.constantFrom("completed", "incomplete");
const type = fc.constant("message");

const userMessage = partial(
  { type, role: fc.constant("user"), content: fc.oneof(text, fc.array(inputPart, { maxLength: 3 })), id, status },
  ["role", "content"],
);
const systemMessage = partial(
  {
    type,
    role: fc.constantFrom("system", "developer"),
    content: fc.oneof(text, fc.constant(null), fc.array(inputPart, { maxLength: 2 })),
  },
  ["role"],
);
const assistantMessage = partial(
  {
    type,
    role: fc.constant("assistant"),
    content: fc.oneof(text, fc.constant(null), fc.array(outputPart, { maxLength: 3 })),
    id: optionalId,
    status,
    phase: fc.constantFrom("commentary", "final_answer"),
  },
  ["role"],
);
const reasoning = partial(
  {
    type: fc.constant("reasoning"),
    id: optionalId,
    summary: fc.array(fc.record({ type: fc.constant("summary_text"), text }), { maxLength: 3 }),
    encrypted_content: fc.oneof(base64, fc.constant(null)),
    content: fc.array(object),
    status,
  },
  ["type", "summary"],
);
const call = fc.oneof(
  partial(
    { type: fc.constant("function_call"), id, call_id: id, name, arguments: fc.oneof(argumentsText, object), status },
    ["type", "name"],
  ),
  partial({ type: fc.constant("custom_tool_call"), id, call_id: id, name, input: text }, ["type", "name"]),
);
const output = partial(
  {
    type: fc.constantFrom("function_call_output", "custom_tool_call_output"),
    call_id: id,
    output: fc.oneof(text, fc.constant(null), object, fc.array(inputPart, { maxLength: 3 })),
    id,
    status,
  },
  ["type"],
);
const otherItem = fc.oneof(
  fc.record({ type: fc.constant("item_reference"), id }),
  fc.record({ type: fc.constant("computer_call"), call_id: id, action: object }),
  fc.record({ type: fc.constant("computer_call_output"), call_id: id, output: object }),
  fc.record({ type: fc.constant("compaction"), encrypted_content: base64 }),
  unknownPart,
);

/** What programs send: ids may be used again. */
export const looseItems: fc.Arbitrary<object[]> = fc.array(
  fc.oneof(userMessage, systemMessage, assistantMessage, reasoning, { weight: 2, arbitrary: call }, output, otherItem),
  { maxLength: 8 },
);

const callIds = (items: readonly { type?: string; call_id?: unknown }[]): unknown[] =>
  items.flatMap((item) => (item.type?.endsWith("_call") && item.call_id !== undefined ? [item.call_id] : []));

/** What the API accepts: no call has the id of another. */
export const responsesItems: fc.Arbitrary<object[]> = looseItems.filter(
  (items) => new Set(callIds(items)).size === callIds(items).length,
);
