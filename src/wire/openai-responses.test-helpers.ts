import fc from "fast-check";
import { openaiResponsesFaults } from "./legality/openai-responses.js";
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
const NATIVE = ["shell_call", "local_shell_call", "apply_patch_call", "computer_call"];
const action = fc.oneof(object, fc.record({ commands: fc.array(text, { maxLength: 2 }) }), fc.constant(null));
const nativeCall = partial(
  {
    type: fc.constantFrom(...NATIVE),
    id: optionalId,
    call_id: id,
    action,
    actions: fc.array(action, { maxLength: 2 }),
    operation: object,
    status,
  },
  ["type"],
);
const run = withUnknown(fc.record({ stdout: text, stderr: fc.oneof(text, fc.constant("")), outcome: object }));
const screenshot = partial(
  { type: fc.constant("computer_screenshot"), image_url: fc.oneof(url, dataURL), file_id: optionalId },
  ["type"],
);
const nativeOutput = partial(
  {
    type: fc.constantFrom(...NATIVE.map((native) => `${native}_output`)),
    call_id: id,
    id: optionalId,
    output: fc.oneof(text, fc.constant(null), object, fc.array(run, { maxLength: 2 }), screenshot),
    status,
  },
  ["type"],
);
const otherItem = fc.oneof(
  fc.record({ type: fc.constant("item_reference"), id }),
  fc.record({ type: fc.constant("mcp_approval_request"), id, name }),
  fc.record({ type: fc.constant("mcp_approval_response"), approval_request_id: id, approve: fc.boolean() }),
  fc.record({ type: fc.constantFrom("program", "program_output"), call_id: id }),
  nativeCall,
  nativeOutput,
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

/** The same items, but that a function's output which answers another call is of the type that this wants. */
function asCalled(items: readonly { type?: string; call_id?: unknown }[]): object[] {
  const types = new Map(items.flatMap((item) => (callIds([item]).length > 0 ? [[item.call_id, item.type]] : [])));
  return items.map((item) => {
    const called = item.type === "function_call_output" ? types.get(item.call_id) : undefined;
    return called === undefined ? item : { ...item, type: `${called}_output` };
  });
}

/** What the API accepts: no id is there twice, reasoning leads to something, and an output is of the kind that was called. */
export const responsesItems: fc.Arbitrary<object[]> = unmended(
  looseItems.filter((items) => new Set(callIds(items)).size === callIds(items).length).map(asCalled),
  openaiResponsesFaults,
  ["reasoning-alone", "duplicate-item-id", "empty-output", "blank-message", "tool-name"],
);
