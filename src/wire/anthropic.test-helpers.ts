import fc from "fast-check";
import type { AnthropicPrompt } from "./anthropic-types.js";
import { anthropicFaults } from "./legality/anthropic.js";
import {
  base64,
  id,
  name,
  object,
  partial,
  spokenText,
  text,
  unknownPart,
  unmended,
  url,
  withUnknown,
} from "./wire.test-helpers.js";

const cache_control = fc.constantFrom({ type: "ephemeral" }, { type: "ephemeral", ttl: "1h" }, null);

const textBlock = (content: fc.Arbitrary<string>) =>
  partial({ type: fc.constant("text"), text: content, cache_control, citations: fc.array(object) }, ["type", "text"]);
const source = fc.oneof(
  fc.record({ type: fc.constant("base64"), media_type: fc.constantFrom("image/png", "application/pdf"), data: base64 }),
  fc.record({ type: fc.constant("text"), media_type: fc.constant("text/plain"), data: text }),
  fc.record({ type: fc.constant("url"), url }),
  fc.record({ type: fc.constant("file"), file_id: id }),
  fc.record({ type: fc.constant("content"), content: fc.array(object) }),
);
const imageBlock = partial({ type: fc.constant("image"), source, cache_control }, ["type", "source"]);
const documentBlock = partial(
  { type: fc.constant("document"), source, title: fc.oneof(name, fc.constant(null)), context: text, cache_control },
  ["type", "source"],
);
const media = fc.oneof(imageBlock, documentBlock);
const contentBlock = (content: fc.Arbitrary<string>) => fc.oneof(textBlock(content), media, unknownPart);

const result = (content: fc.Arbitrary<string>) =>
  partial(
    {
      type: fc.constant("tool_result"),
      tool_use_id: id,
      content: fc.oneof(text, fc.constant(null), fc.array(contentBlock(content), { maxLength: 3 })),
      is_error: fc.boolean(),
      cache_control,
    },
    ["type"],
  );
const call = partial(
  { type: fc.constant("tool_use"), id, name, input: fc.oneof(object, text, fc.constant(null)), cache_control },
  ["type", "name"],
);
const thinking = partial({ type: fc.constant("thinking"), thinking: text, signature: text }, ["type", "thinking"]);
const redacted = withUnknown(fc.record({ type: fc.constant("redacted_thinking"), data: text }));
const serverCall = fc.oneof(
  fc.record({ type: fc.constant("server_tool_use"), id, name, input: object }),
  fc.record({ type: fc.constant("mcp_tool_use"), id, name, server_name: name, input: object }),
);
const serverResult = fc.record({
  type: fc.constant("web_search_tool_result"),
  tool_use_id: id,
  content: fc.array(object),
});
const compaction = fc.record({ type: fc.constant("compaction"), content: text });
const ownBlock = (content: fc.Arbitrary<string>) =>
  fc.oneof(textBlock(content), { weight: 2, arbitrary: call }, thinking, redacted, compaction, unknownPart);
const assistantBlock = (content: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 7, arbitrary: ownBlock(content) }, serverCall, serverResult);

/** Calls that Anthropic ran itself stand with their results. */
const answeredBlocks = fc.oneof(
  { weight: 6, arbitrary: ownBlock(spokenText).map((block): object[] => [block]) },
  {
    weight: 1,
    arbitrary: fc.tuple(serverCall, serverResult).map(([asked, found]) => [asked, { ...found, tool_use_id: asked.id }]),
  },
);

/** A message as the API takes it: something in it, and the results first. */
const userContent = fc.oneof(
  spokenText,
  fc
    .tuple(fc.array(result(spokenText), { maxLength: 2 }), fc.array(contentBlock(spokenText), { maxLength: 2 }))
    .map((lists) => lists.flat())
    .filter((blocks) => blocks.length > 0),
);
const assistantContent = fc.oneof(
  spokenText,
  fc.array(answeredBlocks, { minLength: 1, maxLength: 4 }).map((lists) => lists.flat()),
);

const user = withUnknown(fc.record({ role: fc.constant("user"), content: userContent }));
const assistant = withUnknown(fc.record({ role: fc.constant("assistant"), content: assistantContent }));
const system = fc.oneof(spokenText, fc.array(textBlock(spokenText), { minLength: 1, maxLength: 3 }));

type Turn = readonly { content: unknown }[];

/** The ids of calls that a conversation holds. */
const callIds = (messages: Turn): unknown[] =>
  messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .flatMap(({ type, id }) => (type === "tool_use" && id !== undefined ? [id] : []));

const hasNoIdTwice = (messages: Turn): boolean => new Set(callIds(messages)).size === callIds(messages).length;

/** How many marks of the prompt cache a prompt holds. */
export const cacheMarks = (prompt: unknown): number => JSON.stringify(prompt).split('"cache_control":{').length - 1;

/** A prompt as the API accepts it, but that it may have any number of cache marks. */
export const markedPrompt: fc.Arbitrary<object> = fc.record(
  {
    system,
    messages: fc
      .array(fc.tuple(user, assistant), { maxLength: 3 })
      .map((turns) => turns.flat())
      .filter(hasNoIdTwice),
  },
  { requiredKeys: ["messages"] },
);

/** A prompt without its marks. */
export const unmarked = <T extends object>(prompt: T): T =>
  JSON.parse(JSON.stringify(prompt, (key, value) => (key === "cache_control" ? undefined : value))) as T;

/** What the API accepts: roles in turn, nothing empty, no id twice. */
export const anthropicPrompt: fc.Arbitrary<object> = unmended(
  markedPrompt.map(unmarked),
  (prompt) => anthropicFaults(prompt as AnthropicPrompt),
  ["ends-in-thinking", "trailing-space", "empty-error"],
);

/** What programs send: any order, empty texts, missing contents. */
export const loosePrompt: fc.Arbitrary<object> = fc.record(
  {
    system: fc.oneof(text, fc.array(textBlock(text), { maxLength: 2 }), fc.constant(null)),
    messages: fc.array(
      fc.oneof(
        partial(
          { role: fc.constant("user"), content: fc.oneof(text, fc.array(fc.oneof(result(text), contentBlock(text)))) },
          ["role"],
        ),
        partial({ role: fc.constant("assistant"), content: fc.oneof(text, fc.array(assistantBlock(text))) }, ["role"]),
      ),
      { maxLength: 6 },
    ),
  },
  { requiredKeys: ["messages"] },
);
