/**
 * Conversations as agents leave them, and as they should not: parallel calls, unanswered, doubled and reused ids, blank
 * content, errors without a text, reasoning with and without signatures, images, late system messages, parts of other
 * providers. What user and assistant say begins with a mark, "⟦17⟧", by which it is found again in a request.
 */
import { fromAnthropic, fromGemini, fromOpenAI, fromOpenAIResponses, type Message } from "../../src/index.js";
import type {
  AssistantPart,
  ProviderOptions,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
  UserPart,
} from "../../src/message/types.js";
import type { Random } from "../../src/testing/random.js";
import { blank, output, sentence, text } from "./texts.js";

/** A PNG of a size; nothing but its header is read. */
function png(width: number, height: number): string {
  const header = Buffer.from("89504e470d0a1a0a0000000d4948445200000000000000000806000000", "hex");
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return Buffer.concat([header, Buffer.alloc(40, 7)]).toString("base64");
}

const PICTURES = [png(1, 1), png(1, 1), png(640, 480), png(2_560, 1_440), png(9_000, 40)];
const PICTURE_TYPES = ["image/png", "image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml", "image/*"];
const NAMES = ["read", "bash", "edit", "web.search", "7zip", "naïve tool", "a".repeat(80), "mcp__files__read-all", ""];
const REUSED = ["call_1", "call_2", "toolu_01", "", "id with blanks", "x".repeat(60), `${"y".repeat(45)}é`];

export class Conversation {
  readonly #random: Random;
  #said = 0;
  #calls = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** The next messages: what belongs together, or comes in one piece. */
  next(): Message[] {
    const kind = this.#random.next();
    if (kind < 0.3) return [this.#user()];
    if (kind < 0.42) return [this.#assistant()];
    if (kind < 0.86) return this.#exchange(1 + this.#random.below(this.#random.chance(0.1) ? 12 : 3));
    if (kind < 0.89)
      return [{ role: "system", content: this.#random.chance(0.2) ? "" : `Note: ${text(this.#random)}` }];
    if (kind < 0.92) return [{ role: this.#random.pick(["user", "assistant"]), content: blank(this.#random) }];
    if (kind < 0.94) return [this.#results([this.#result(this.#random.pick(REUSED))])];
    return this.#ofAProvider();
  }

  /** More calls at once than some providers take. */
  manyCalls(): Message[] {
    return this.#exchange(129 + this.#random.below(30), () => "ok");
  }

  /** More messages than some providers take. */
  manyMessages(): Message[] {
    return Array.from({ length: 2_100 }, (_, at) =>
      at % 2 === 0 ? { role: "user", content: this.#mark("go on") } : { role: "assistant", content: this.#mark("yes") },
    );
  }

  /** A user's message with many pictures. */
  manyPictures(): Message[] {
    const pictures = Array.from({ length: 25 + this.#random.below(90) }, () => this.#picture());
    return [{ role: "user", content: [{ type: "text", text: this.#mark("compare") }, ...pictures] }];
  }

  #mark(words: string): string {
    this.#said++;
    return `⟦${this.#said}⟧ ${words}`;
  }

  #user(): Message {
    const words = this.#mark(text(this.#random));
    if (this.#random.chance(0.85)) return { role: "user", content: words };
    const parts: UserPart[] = [{ type: "text", text: words }];
    if (this.#random.chance(0.6)) parts.push(this.#picture());
    if (this.#random.chance(0.2)) parts.push({ type: "text", text: blank(this.#random) });
    if (this.#random.chance(0.2)) parts.push(this.#file());
    if (this.#random.chance(0.15)) parts.push(this.#custom());
    return { role: "user", content: parts };
  }

  #picture(): UserPart {
    const mediaType = this.#random.pick(PICTURE_TYPES);
    if (this.#random.chance(0.15)) return { type: "image", image: new URL("https://a.example/b.png"), mediaType };
    if (this.#random.chance(0.05)) return { type: "image", image: "", mediaType };
    return { type: "image", image: this.#random.pick(PICTURES), mediaType };
  }

  #file(): UserPart {
    const mediaType = this.#random.pick(["application/pdf", "text/plain", "audio/wav", "video/mp4", "application/zip"]);
    return {
      type: "file",
      data: "aGVsbG8gd29ybGQ=",
      mediaType,
      ...(this.#random.chance(0.5) && { filename: "a b.pdf" }),
    };
  }

  #custom(): UserPart & AssistantPart {
    const kind = this.#random.pick(["openai.refusal", "anthropic.search_result", "acme.hologram"] as const);
    return { type: "custom", kind, providerOptions: { acme: { text: sentence(this.#random) } } };
  }

  #assistant(): Message {
    const words = this.#mark(text(this.#random));
    if (this.#random.chance(0.6)) return { role: "assistant", content: words };
    const content: AssistantPart[] = [...this.#reasoning()];
    if (this.#random.chance(0.75)) content.push({ type: "text", text: words });
    if (this.#random.chance(0.15)) content.push(this.#custom());
    if (this.#random.chance(0.15)) content.push(...this.#reasoning(content.length === 0));
    if (this.#random.chance(0.1)) content.push({ type: "file", data: PICTURES[0]!, mediaType: "image/png" });
    return { role: "assistant", content };
  }

  /** Anthropic thinks before it says anything: a message that it thought in begins with that. */
  #reasoning(isFirst = true): AssistantPart[] {
    const thought = (providerOptions?: ProviderOptions) => [
      {
        type: "reasoning" as const,
        text: this.#random.chance(0.2) ? "" : sentence(this.#random),
        ...(providerOptions && { providerOptions }),
      },
    ];
    switch (this.#random.below(7) + (isFirst ? 0 : 2)) {
      case 0:
        return thought({ anthropic: { signature: "EqQBCgIYAhIM" } });
      case 1:
        return thought({ anthropic: { redactedData: "EmwKAhgBEgy" } });
      case 2:
        return thought({
          openai: { itemId: this.#random.chance(0.2) ? "rs_1" : `rs_${this.#said}`, reasoningEncryptedContent: "gAAA" },
        });
      case 3:
        return thought({ google: { thoughtSignature: "CvQB" } });
      case 4:
        return thought();
      default:
        return [];
    }
  }

  #exchange(count: number, says = () => output(this.#random)): Message[] {
    const calls = Array.from({ length: count }, () => this.#call());
    const content: AssistantPart[] = [...this.#reasoning()];
    if (this.#random.chance(0.4)) content.push({ type: "text", text: this.#mark(sentence(this.#random)) });
    content.push(...calls);
    if (this.#random.chance(0.04)) content.push(...this.#reasoning(false));
    const answered = this.#random.chance(0.85) ? calls : calls.filter(() => this.#random.chance(0.5));
    const parts = answered.map(({ toolCallId }) => this.#result(toolCallId, says()));
    if (this.#random.chance(0.05) && parts.length > 0) parts.push(this.#result(parts[0]!.toolCallId));
    if (this.#random.chance(0.1)) parts.reverse();
    const between = this.#random.chance(0.06) ? [this.#user()] : [];
    return [{ role: "assistant", content }, ...between, ...this.#delivered(parts)];
  }

  #call(): ToolCallPart {
    this.#calls++;
    const toolCallId = this.#random.chance(0.9)
      ? `call_${this.#calls}_${"z".repeat(this.#random.chance(0.05) ? 50 : 4)}`
      : this.#random.pick(REUSED);
    const toolName = this.#random.pick(this.#random.chance(0.8) ? NAMES.slice(0, 3) : NAMES);
    const inputs: unknown[] = [
      { path: sentence(this.#random) },
      {},
      { content: text(this.#random), lines: [1, 2] },
      '{"path": "a',
      [1, 2],
      null,
      "x",
    ];
    return {
      type: "tool-call",
      toolCallId,
      toolName,
      input: this.#random.pick(this.#random.chance(0.85) ? inputs.slice(0, 3) : inputs),
    };
  }

  #result(toolCallId: string, value = output(this.#random)): ToolResultPart {
    const picture = { type: "media", data: this.#random.pick(PICTURES), mediaType: "image/png" };
    const outputs: ToolResultPart["output"][] = [
      { type: "error-text", value },
      { type: "error-text", value: "" },
      { type: "error-json", value: {} },
      { type: "json", value: { value, list: [1, null], nested: { ok: true } } },
      { type: "json", value: null },
      { type: "content", value: [] },
      { type: "content", value: [{ type: "text", text: value }, picture] },
      { type: "content", value: [{ type: "text", text: "" }] },
      { type: "content", value: [picture] },
      { type: "execution-denied", ...(this.#random.chance(0.5) && { reason: sentence(this.#random) }) },
    ];
    const plain: ToolResultPart["output"] = { type: "text", value };
    return {
      type: "tool-result",
      toolCallId,
      toolName: "",
      output: this.#random.chance(0.8) ? plain : this.#random.pick(outputs),
    };
  }

  #results(content: ToolResultPart[]): ToolMessage {
    return { role: "tool", content };
  }

  /** All results in one message, or each in its own. */
  #delivered(parts: readonly ToolResultPart[]): Message[] {
    if (parts.length === 0) return [];
    return this.#random.chance(0.5) ? [this.#results([...parts])] : parts.map((part) => this.#results([part]));
  }

  /** A piece of a conversation as a provider gives it, with what only it knows. */
  #ofAProvider(): Message[] {
    const [asks, says] = [this.#mark(sentence(this.#random)), this.#mark(sentence(this.#random))];
    const number = ++this.#calls;
    switch (this.#random.below(5)) {
      case 0:
        return fromAnthropic(anthropicPiece(asks, says, number));
      case 1:
        return fromOpenAI(openaiPiece(asks, says, number));
      case 2:
        return fromOpenAIResponses(responsesPiece(asks, says, number));
      case 3:
        return fromGemini(geminiPiece(asks, says));
      default:
        return fromAnthropic(serverToolPiece(asks, says, number));
    }
  }
}

const anthropicPiece = (asks: string, says: string, number: number) => [
  { role: "user", content: [{ type: "text", text: asks, cache_control: { type: "ephemeral" } }] },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Let me look.", signature: "EuYBCkQY" },
      { type: "text", text: says },
      { type: "tool_use", id: `toolu_${number}`, name: "read", input: { path: "a.ts" } },
    ],
  },
  {
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: `toolu_${number}`,
        is_error: true,
        content: [{ type: "text", text: "none" }],
      },
    ],
  },
];

const serverToolPiece = (asks: string, says: string, number: number) => [
  { role: "user", content: asks },
  {
    role: "assistant",
    content: [
      { type: "server_tool_use", id: `srvtoolu_${number}`, name: "web_search", input: { query: "port" } },
      {
        type: "web_search_tool_result",
        tool_use_id: `srvtoolu_${number}`,
        content: [{ type: "web_search_result", url: "https://a.example", title: "A", encrypted_content: "Eo8" }],
      },
      { type: "text", text: says },
    ],
  },
];

const openaiPiece = (asks: string, says: string, number: number) => [
  { role: "user", name: "ann", content: asks },
  {
    role: "assistant",
    content: says,
    tool_calls: [
      { id: `call_o${number}`, type: "function", function: { name: "read", arguments: '{ "path": "a.ts" }' } },
    ],
  },
  { role: "tool", tool_call_id: `call_o${number}`, content: [{ type: "text", text: "done" }] },
  { role: "assistant", content: null, refusal: "I cannot do that." },
];

const responsesPiece = (asks: string, says: string, number: number) => [
  { role: "user", content: [{ type: "input_text", text: asks }] },
  {
    type: "reasoning",
    id: `rs_r${number}`,
    summary: [{ type: "summary_text", text: "Look." }],
    encrypted_content: "gAAA",
  },
  { type: "function_call", id: `fc_${number}`, call_id: `call_r${number}`, name: "read", arguments: "{}" },
  { type: "function_call_output", call_id: `call_r${number}`, output: [{ type: "input_text", text: "done" }] },
  { type: "reasoning", id: `rs_s${number}`, summary: [], encrypted_content: "gAAB" },
  {
    type: "message",
    id: `msg_${number}`,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: says, annotations: [] }],
  },
];

const geminiPiece = (asks: string, says: string) => [
  { role: "user", parts: [{ text: asks }] },
  {
    role: "model",
    parts: [
      { text: says },
      { functionCall: { name: "read", args: { path: "a.ts" } }, thoughtSignature: "CvQB" },
      { functionCall: { name: "read", args: {} } },
    ],
  },
  {
    role: "user",
    parts: [
      { functionResponse: { name: "read", response: { output: "one" } } },
      { functionResponse: { name: "read", response: { output: "two" } } },
    ],
  },
];
