import { modelMessageSchema } from "ai";
import { convertToLanguageModelPrompt, standardizePrompt } from "ai/internal";
import { type Breach, Breaches, type Item, itemsOf, textOf } from "./request.js";

/** It says of each image that files will take its place. */
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** What the AI SDK itself refuses, asked of its own code, and what every provider behind it refuses of calls. */
export async function aiSdkBreaches(prompt: Item): Promise<Breach[]> {
  const breaches = new Breaches();
  const messages = itemsOf(prompt.messages);
  breaches.demand(messages.length > 0, "no-messages", ["messages", messages.length]);
  checkPairs(messages, breaches);
  for (const [at, message] of messages.entries()) {
    const parsed = modelMessageSchema.safeParse(message);
    breaches.demand(parsed.success, "schema", [`messages.${at}`, { message, error: parsed.error?.message }]);
  }
  if (messages.length > 0) await ask(prompt, breaches);
  return breaches.found;
}

/** Nothing is downloaded: every address is one that the model takes. */
async function ask(prompt: Item, breaches: Breaches): Promise<void> {
  try {
    const standard = await standardizePrompt(prompt as Parameters<typeof standardizePrompt>[0]);
    const supportedUrls = { "*": [/./] };
    const download = async (addresses: readonly unknown[]) => addresses.map(() => null);
    await convertToLanguageModelPrompt({ prompt: standard, supportedUrls, download, provider: "any" });
  } catch (error) {
    breaches.demand(false, "refused", ["prompt", String(error).slice(0, 300)]);
  }
}

const partsOf = ({ content }: Item): readonly Item[] => itemsOf(content);

/** Each call has one result behind it before anyone else speaks, and no result stands elsewhere. */
function checkPairs(messages: readonly Item[], breaches: Breaches): void {
  let open = new Set<string>();
  for (const [at, message] of messages.entries()) {
    const place = `messages.${at}`;
    breaches.demand(message.role !== "system", "late-system", [place, message]);
    const parts = partsOf(message);
    if (message.role === "tool") {
      for (const part of parts)
        if (part.type === "tool-result")
          breaches.demand(open.delete(textOf(part.toolCallId)), "orphan-result", [place, part]);
      continue;
    }
    const own = new Set(
      parts.flatMap((part) => (part.type === "tool-call" && !part.providerExecuted ? [textOf(part.toolCallId)] : [])),
    );
    for (const part of parts) if (part.type === "tool-result") own.delete(textOf(part.toolCallId));
    open = own;
  }
}

/** The texts that the model reads, message by message. */
export const aiSdkTexts = ({ instructions, messages }: Item): string[] =>
  [...(Array.isArray(instructions) ? itemsOf(instructions) : []), ...itemsOf(messages)].map((message) =>
    typeof message.content === "string" ? message.content : partsOf(message).map(partText).join(""),
  );

function partText({ text, toolName, type, output }: Item): string {
  if (type === "tool-call") return textOf(toolName);
  const value = (output as Item | undefined)?.value;
  return type === "tool-result" ? textOf(value) : textOf(text);
}
