import { type Breach, Breaches, type Item, itemsOf, textOf } from "./request.js";

const CALLS: readonly unknown[] = ["function_call", "custom_tool_call"];
const OUTPUTS: readonly unknown[] = ["function_call_output", "custom_tool_call_output"];

/** "Expected an ID that begins with 'rs'": what ids of items begin with. */
const BEGINNINGS: { readonly [type: string]: string } = {
  reasoning: "rs",
  function_call: "fc",
  custom_tool_call: "ctc",
  message: "msg",
};

const isAssistants = (item: Item | undefined): boolean =>
  item !== undefined && (item.role === "assistant" || textOf(item.type).endsWith("_call"));

/** What OpenAI's Responses refuse of an input. */
export function openaiResponsesBreaches(items: readonly Item[]): Breach[] {
  const breaches = new Breaches();
  breaches.demand(items.length > 0, "no-messages", ["input", items.length]);
  for (const [at, item] of items.entries()) {
    checkItem(item, `input.${at}`, breaches);
    if (item.type !== "reasoning") continue;
    const next = items.slice(at + 1).find(({ type }) => type !== "reasoning");
    // "Item 'rs_…' of type 'reasoning' was provided without its required following item" (openai-node#1567).
    breaches.demand(isAssistants(next), "reasoning-alone", [`input.${at}`, [item, next]]);
  }
  checkIds(items, breaches);
  checkPairs(items, breaches);
  return breaches.found;
}

function checkItem(item: Item, at: string, breaches: Breaches): void {
  const { type, role, content, output } = item;
  if (role !== undefined) {
    // "Invalid 'input[1].content': empty array."
    if (Array.isArray(content)) breaches.demand(content.length > 0, "empty-content", [at, item]);
    else breaches.demand(typeof content === "string", "content-form", [at, item]);
    for (const part of itemsOf(content)) checkPart(part, { role, at }, breaches);
  }
  // "Unknown parameter: 'input[2].parsed_arguments'" (openai-python#2374): what a client has read out of an answer.
  breaches.demand(!("parsed_arguments" in item), "unknown-field", [at, item]);
  if (CALLS.includes(type)) {
    // "Invalid 'input[3].name': string does not match pattern '^[a-zA-Z0-9_-]+$'"; at most 64 characters, as call_id.
    breaches.demand(/^[a-zA-Z0-9_-]{1,64}$/.test(textOf(item.name)), "name-form", [at, item]);
    breaches.demand(/^.{1,64}$/s.test(textOf(item.call_id)), "call-id-form", [at, item]);
    breaches.demand(typeof (item.arguments ?? item.input) === "string", "arguments-form", [at, item]);
  }
  if (OUTPUTS.includes(type)) {
    // API reference: output is a text or a list of content with at least one part.
    breaches.demand(typeof output === "string" || itemsOf(output).length > 0, "empty-output", [at, item]);
    for (const part of itemsOf(output)) checkPart(part, { role: "user", at }, breaches);
  }
  if (type === "reasoning")
    breaches.demand(
      Array.isArray(item.summary) && (item.id ?? item.encrypted_content) !== undefined,
      "reasoning-form",
      [at, item],
    );
}

const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/]/;

function checkPart(part: Item, { role, at }: { role: unknown; at: string }, breaches: Breaches): void {
  // "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'", and the other way round.
  const allowed = role === "assistant" ? ["output_text", "refusal"] : ["input_text", "input_image", "input_file"];
  breaches.demand(allowed.includes(textOf(part.type)), "part-type", [at, { role, type: part.type }]);
  breaches.demand(!("parsed" in part), "unknown-field", [at, part]);
  if (part.type !== "input_image" || part.file_id !== undefined) return;
  const url = textOf(part.image_url);
  breaches.demand(/^https?:/i.test(url) || DATA_IMAGE.test(url), "image-type", [at, url.slice(0, 60)]);
}

function checkIds(items: readonly Item[], breaches: Breaches): void {
  const known = new Set<string>();
  for (const [at, item] of items.entries()) {
    if (typeof item.id !== "string") continue;
    const type = textOf(item.type) || "message";
    // "Duplicate item found with id rs_…. Remove duplicate items from your input and try again" (vercel/ai#7883).
    breaches.demand(!known.has(item.id), "item-id-twice", [`input.${at}`, item]);
    known.add(item.id);
    // "Invalid 'input[2].id': string too long. Expected a string with maximum length 64".
    breaches.demand(item.id.length <= 64, "item-id-form", [`input.${at}`, item]);
    breaches.demand(item.id.startsWith(BEGINNINGS[type] ?? ""), "item-id-form", [`input.${at}`, item]);
  }
}

/** "No tool output found for function call call_…", "No tool call found for function call output with call_id …". */
function checkPairs(items: readonly Item[], breaches: Breaches): void {
  const open = new Set<string>();
  const known = new Set<string>();
  for (const [at, item] of items.entries()) {
    const id = textOf(item.call_id);
    if (CALLS.includes(item.type)) {
      breaches.demand(!known.has(id), "call-id-twice", [`input.${at}`, item]);
      known.add(id);
      open.add(id);
    }
    if (OUTPUTS.includes(item.type)) breaches.demand(open.delete(id), "orphan-result", [`input.${at}`, item]);
  }
  breaches.demand(open.size === 0, "unanswered-call", ["end", [...open]]);
}

const READ = ["text", "refusal", "name", "arguments", "input"] as const;

/** The texts that the model reads, item by item. */
export const openaiResponsesTexts = (items: readonly Item[]): string[] =>
  items.map((item) => {
    const lists = [item.content, item.output, item.summary].flatMap((list) =>
      typeof list === "string" ? [list] : itemsOf(list).flatMap((part) => READ.map((field) => textOf(part[field]))),
    );
    return [...READ.map((field) => textOf(item[field])), ...lists].join("");
  });
