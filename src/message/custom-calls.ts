/**
 * Calls and answers that have no canonical form: they stand in the assistant's messages as custom parts, and are paired
 * by an id in the wire value that they carry. A provider refuses an answer without its call, so both belong together,
 * as do the calls that a running program of the provider makes in between.
 */
import { isObject, type UnknownFields } from "./plain-value.js";
import type { AssistantPart, CustomPart, ToolCallPart } from "./types.js";

interface Rule {
  /** Types of the wire value. */
  readonly types: RegExp;
  /** Its field with the id. */
  readonly id: string;
}

interface FormatRules {
  readonly calls: readonly Rule[];
  readonly answers: readonly Rule[];
  /** The field of a call's `caller` that names the custom call which made it. */
  readonly caller: string;
}

const FORMATS: ReadonlyMap<string, FormatRules> = new Map([
  [
    "anthropic",
    {
      calls: [{ types: /^(?:server|mcp)_tool_use$/, id: "id" }],
      answers: [{ types: /_tool_result$/, id: "tool_use_id" }],
      caller: "tool_id",
    },
  ],
  [
    "openaiResponses",
    {
      calls: [
        { types: /^mcp_approval_request$/, id: "id" },
        { types: /^(?!.*_output$)/, id: "call_id" },
      ],
      answers: [
        { types: /^mcp_approval_response$/, id: "approval_request_id" },
        { types: /_output$/, id: "call_id" },
      ],
      caller: "caller_id",
    },
  ],
]);

/** One end of a pair: the other has the same format and id, and so the same key. */
interface CustomLink {
  readonly part: CustomPart;
  readonly format: string;
  readonly id: string;
  readonly key: string;
  readonly isAnswer: boolean;
}

/** What a custom part calls or answers; undefined for any other. */
export function customLink(part: CustomPart): CustomLink | undefined {
  const format = formatOf(part);
  const rules = FORMATS.get(format);
  const value = rules && fieldsOf(part, format)?.value;
  if (rules === undefined || !isObject(value)) return undefined;
  const answered = idBy(rules.answers, value);
  const id = answered ?? idBy(rules.calls, value);
  return id === undefined ? undefined : { part, format, id, key: keyOf(format, id), isAnswer: answered !== undefined };
}

const formatOf = ({ kind }: Partial<CustomPart>): string => (typeof kind === "string" ? kind.split(".", 1)[0]! : "");

const keyOf = (format: string, id: string): string => `${format} ${id}`;

function fieldsOf(part: CustomPart | ToolCallPart, format: string): UnknownFields | undefined {
  const fields: unknown = part.providerOptions?.varve?.[format];
  return isObject(fields) ? fields : undefined;
}

function idBy(rules: readonly Rule[], value: UnknownFields): string | undefined {
  const { type } = value;
  if (typeof type !== "string") return undefined;
  const rule = rules.find(({ types, id }) => types.test(type) && typeof value[id] === "string");
  return rule && (value[rule.id] as string);
}

/** What one message says to custom calls. */
export interface Linked<Owner> {
  /** Whose call it answers, or which made its calls. */
  readonly owner: Owner | undefined;
  /** The keys of its own custom calls that wait. */
  readonly calls: readonly string[];
  /** Its custom parts that answer nothing. */
  readonly strays: ReadonlySet<AssistantPart>;
}

/** The custom calls of a conversation that wait, each with the exchange that it belongs to. */
export class CustomCalls<Owner> {
  readonly #waiting = new Map<string, Owner>();

  /** Takes the answers of a message. Undefined for nearly all messages: nothing in them has to do with custom calls. */
  answer(content: readonly AssistantPart[]): Linked<Owner> | undefined {
    const links = linksIn(content);
    if (links === undefined) return this.#waiting.size === 0 ? undefined : this.#madeBy(content);
    let owner: Owner | undefined;
    const strays = new Set<AssistantPart>();
    for (const { part, key } of links.answers) {
      const asking = this.#waiting.get(key);
      if (asking === undefined || (owner !== undefined && owner !== asking)) strays.add(part);
      else {
        owner = asking;
        this.#waiting.delete(key);
      }
    }
    return { owner: owner ?? this.#madeBy(content)?.owner, calls: links.calls, strays };
  }

  wait(keys: readonly string[], owner: Owner): void {
    for (const key of keys) this.#waiting.set(key, owner);
  }

  /** Programs that a provider runs call tools: such a call belongs to the one that started the program. */
  #madeBy(content: readonly AssistantPart[]): Linked<Owner> | undefined {
    for (const part of content) {
      if (part.type !== "tool-call" || part.providerOptions?.varve === undefined) continue;
      const owner = this.#callerOf(part);
      if (owner !== undefined) return { owner, calls: [], strays: NO_PARTS };
    }
    return undefined;
  }

  #callerOf(part: ToolCallPart): Owner | undefined {
    for (const [format, rules] of FORMATS) {
      const caller = fieldsOf(part, format)?.caller;
      const id = isObject(caller) ? caller[rules.caller] : undefined;
      if (typeof id === "string") return this.#waiting.get(keyOf(format, id));
    }
    return undefined;
  }
}

const NO_PARTS: ReadonlySet<AssistantPart> = new Set();

interface MessageLinks {
  readonly calls: readonly string[];
  readonly answers: readonly CustomLink[];
}

/** The custom calls and answers of a message that find no other end in the message itself. */
function linksIn(content: readonly AssistantPart[]): MessageLinks | undefined {
  for (const part of content) if (part.type === "custom") return pairedLinks(content);
  return undefined;
}

function pairedLinks(content: readonly AssistantPart[]): MessageLinks | undefined {
  const calls = new Set<string>();
  const answers: CustomLink[] = [];
  for (const part of content) {
    const link = part.type === "custom" ? customLink(part) : undefined;
    if (link === undefined) continue;
    if (!link.isAnswer) calls.add(link.key);
    else if (!calls.delete(link.key)) answers.push(link);
  }
  return calls.size === 0 && answers.length === 0 ? undefined : { calls: [...calls], answers };
}
