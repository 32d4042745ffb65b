import { type Breach, Breaches, type Item, isBlank, isItem, itemsOf, leaves, sizeOf, textOf } from "./request.js";

const blocksOf = (content: unknown): readonly Item[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : itemsOf(content);

const isThinking = ({ type }: Item): boolean => type === "thinking" || type === "redacted_thinking";

/** What Anthropic's Messages refuse. */
export function anthropicBreaches(request: Item): Breach[] {
  const breaches = new Breaches();
  const messages = itemsOf(request.messages);
  // "messages: at least one message is required", "first message must use the user role": API reference, Messages.
  breaches.demand(messages.length > 0, "no-messages", ["messages", messages]);
  if (messages.length > 0) breaches.demand(messages[0]?.role === "user", "first-not-user", ["messages.0", messages[0]]);
  for (const block of blocksOf(request.system ?? [])) checkText(block, "system", breaches);
  for (const [at, message] of messages.entries()) checkMessage(message, `messages.${at}`, breaches);
  checkPairs(messages, breaches);
  checkEnd(messages.at(-1), messages.length - 1, breaches);
  checkImages(request, breaches);
  // "A maximum of 4 blocks with cache_control may be provided": docs, Prompt caching.
  const marks = JSON.stringify(request).split('"cache_control":{').length - 1;
  breaches.demand(marks <= 4, "cache-marks", ["request", marks]);
  return breaches.found;
}

function checkMessage({ role, content }: Item, at: string, breaches: Breaches): void {
  breaches.demand(role === "user" || role === "assistant", "role", [at, role]);
  const blocks = blocksOf(content);
  // "all messages must have non-empty content except for the optional final assistant message" (autogen#6083).
  breaches.demand(blocks.length > 0, "empty-message", [at, content]);
  for (const [index, block] of blocks.entries()) checkBlock(block, { role, at: `${at}.${index}` }, breaches);
  // "If an assistant message contains any thinking blocks, the first block must be thinking" (claude-code#20705).
  const hasThinking = role === "assistant" && blocks.some(isThinking);
  if (hasThinking) breaches.demand(isThinking(blocks[0]!), "thinking-not-first", [at, blocks]);
}

function checkBlock(block: Item, { role, at }: { role: unknown; at: string }, breaches: Breaches): void {
  switch (block.type) {
    case "text":
      checkText(block, at, breaches);
      break;
    case "thinking":
      // "thinking.signature: Field required": docs, Extended thinking.
      breaches.demand(role === "assistant" && textOf(block.signature) !== "", "thinking-unsigned", [at, block]);
      break;
    case "tool_use":
      // "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"; names likewise, of 1 to 128 characters.
      breaches.demand(/^[a-zA-Z0-9_-]+$/.test(textOf(block.id)), "call-id-form", [at, block]);
      breaches.demand(/^[a-zA-Z0-9_-]{1,128}$/.test(textOf(block.name)), "name-form", [at, block]);
      // "tool_use.input: Input should be a valid dictionary".
      breaches.demand(isItem(block.input), "input-form", [at, block]);
      break;
    case "tool_result":
      checkResult(block, at, breaches);
      break;
    case "image":
    case "document":
      // Only users show images: docs, Vision.
      breaches.demand(role === "user", "assistant-media", [at, block.type]);
  }
}

function checkText(block: Item, at: string, breaches: Breaches): void {
  // "text content blocks must be non-empty", "… must contain non-whitespace text" (vercel/ai#5576).
  breaches.demand(!isBlank(block.text), "blank-text", [at, block]);
  // "messages.3.content.3.text.parsed: Extra inputs are not permitted" (anthropic-sdk-typescript#857).
  breaches.demand(!("parsed" in block), "unknown-field", [at, block]);
}

function checkResult(block: Item, at: string, breaches: Breaches): void {
  const blocks = blocksOf(block.content ?? []).filter(({ text }) => text !== "");
  // "content cannot be empty if `is_error` is true" (trae-agent#230).
  breaches.demand(block.is_error !== true || blocks.length > 0, "error-without-content", [at, block]);
  if (Array.isArray(block.content))
    for (const inner of itemsOf(block.content)) if (inner.type === "text") checkText(inner, at, breaches);
}

/** "Each `tool_use` block must have a corresponding `tool_result` block in the next message" (claude-code#8210). */
function checkPairs(messages: readonly Item[], breaches: Breaches): void {
  const known = new Set<string>();
  let open: string[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    const blocks = blocksOf(content);
    const place = `messages.${at}`;
    const results = blocks.flatMap((block) => (block.type === "tool_result" ? [textOf(block.tool_use_id)] : []));
    breaches.demand(sameTexts(results, open), "pairing", [place, { calls: open, results }]);
    // "tool_result blocks must come first": docs, Tool use, Handling results.
    const last = blocks.findLastIndex(({ type }) => type === "tool_result");
    breaches.demand(last + 1 === results.length, "results-not-first", [place, blocks]);
    open = blocks.flatMap((block) => (block.type === "tool_use" && role === "assistant" ? [textOf(block.id)] : []));
    // "`tool_use` ids must be unique".
    for (const id of open) {
      breaches.demand(!known.has(id), "call-id-twice", [place, id]);
      known.add(id);
    }
  }
  breaches.demand(open.length === 0, "pairing", ["end", open]);
}

const sameTexts = (first: readonly string[], second: readonly string[]): boolean =>
  JSON.stringify([...first].sort()) === JSON.stringify([...second].sort());

function checkEnd(message: Item | undefined, at: number, breaches: Breaches): void {
  const block = message?.role === "assistant" ? blocksOf(message.content).at(-1) : undefined;
  if (block === undefined) return;
  // "The final block in an assistant message cannot be `thinking`" (CLIProxyAPI#5321: of the last message alone).
  breaches.demand(!isThinking(block), "ends-in-thinking", [`messages.${at}`, block]);
  // "final assistant content cannot end with trailing whitespace" (opencode#1295).
  breaches.demand(!/\s$/.test(textOf(block.text)), "ends-in-white-space", [`messages.${at}`, block]);
}

const IMAGES: readonly unknown[] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/** Docs, Vision: 100 images a request, 5 MB each, at most 8,000 pixels a side, or 2,000 where there are more than 20. */
function checkImages(request: Item, breaches: Breaches): void {
  const images = blocksIn(request.messages).filter(({ type }) => type === "image");
  breaches.demand(images.length <= 100, "too-many-images", ["request", images.length]);
  const largest = images.length > 20 ? 2_000 : 8_000;
  for (const { source } of images) {
    if (!isItem(source) || source.type !== "base64") continue;
    const data = textOf(source.data);
    const size = sizeOf(data);
    const shown = { ...source, data: `${data.slice(0, 20)}…`, size };
    breaches.demand(IMAGES.includes(source.media_type), "image-type", ["image", shown]);
    breaches.demand(data !== "" && data.length <= 5 * 1024 * 1024, "image-bytes", ["image", shown]);
    const longest = size === undefined ? 0 : Math.max(size.width, size.height);
    breaches.demand(longest <= largest, "image-size", ["image", shown]);
  }
}

const blocksIn = (messages: unknown): readonly Item[] =>
  itemsOf(messages).flatMap(({ content }) =>
    blocksOf(content).flatMap((block) =>
      block.type === "tool_result" ? [block, ...blocksOf(block.content ?? [])] : [block],
    ),
  );

/** The texts that the model reads, message by message. */
export const anthropicTexts = ({ system, messages }: Item): string[] => [
  ...blocksOf(system ?? []).map(({ text }) => textOf(text)),
  ...itemsOf(messages).map(({ content }) => blocksOf(content).flatMap(blockTexts).join("")),
];

function blockTexts(block: Item): string[] {
  if (block.type === "tool_use") return [textOf(block.name), ...leaves(block.input)];
  if (block.type === "tool_result") return blocksOf(block.content ?? []).flatMap(blockTexts);
  return [textOf(block.text), textOf(block.thinking)];
}
