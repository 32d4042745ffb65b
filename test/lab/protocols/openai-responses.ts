import { openaiResponsesBreaches } from "../../fuzz/rules/openai-responses.js";
import { Breaches, type Item, itemsOf, textOf } from "../../fuzz/rules/request.js";
import { type Answer, event, halves, type Piece, type Protocol, toolPiece, written } from "../protocol.js";
import type { Saying } from "../script.js";

/** OpenAI's Responses without state on its side: reasoning comes encrypted, and has to stand with what it led to. */
export function openaiResponsesProtocol(): Protocol {
  const sealed = new Map<string, string>();
  return {
    pieces: ({ tools, instructions, input }) => [
      ...itemsOf(tools).map((tool) => toolPiece(tool, tool.parameters)),
      ...(typeof instructions === "string"
        ? [{ written: instructions, texts: [instructions], messages: 1, calls: 0 }]
        : []),
      ...itemsOf(input).map(pieceOf),
    ],
    breaches: ({ body }) => {
      const breaches = new Breaches();
      for (const [at, item] of itemsOf(body.input).entries())
        if (item.type === "reasoning")
          // "The encrypted content for item rs_… could not be verified."
          breaches.demand(sealed.get(textOf(item.encrypted_content)) === item.id, "reasoning-seal", [
            `input.${at}`,
            item,
          ]);
      checkTorn(itemsOf(body.input), breaches);
      return [...openaiResponsesBreaches(itemsOf(body.input)), ...breaches.found];
    },
    isStreamed: ({ body }) => body.stream === true,
    answer: (_, saying, step) => {
      const reasoning = {
        id: `rs_${step}`,
        type: "reasoning",
        summary: [],
        encrypted_content: `gAAAA${step}`.padEnd(200, "A"),
      };
      sealed.set(reasoning.encrypted_content, reasoning.id);
      return answerOf([reasoning, ...saidItems(saying, step)], step);
    },
  };
}

const stepOf = ({ id }: Item): string | undefined => /^(?:rs|msg|fc)_(\d+)/.exec(textOf(id))?.[1];

/**
 * "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'", and the other way
 * round: of an answer the reasoning and the item right behind it go together.
 */
function checkTorn(items: readonly Item[], breaches: Breaches): void {
  for (const [at, item] of items.entries()) {
    const [before, after] = [items[at - 1], items[at + 1]];
    const step = stepOf(item);
    if (item.type === "reasoning") {
      const isFollowed = after !== undefined && (after.id === undefined || stepOf(after) === step);
      breaches.demand(isFollowed, "reasoning-torn", [`input.${at}`, [item, after]]);
    } else if (step !== undefined) {
      const isLed = before !== undefined && stepOf(before) === step;
      breaches.demand(isLed, "reasoning-missing", [`input.${at}`, [before, item]]);
    }
  }
}

const partTexts = (value: unknown): string[] =>
  typeof value === "string" ? [value] : itemsOf(value).map(({ text }) => textOf(text));

function pieceOf(item: Item): Piece {
  const isCall = item.type === "function_call";
  return {
    written: written(item),
    texts: [
      ...partTexts(item.content ?? item.output ?? item.summary),
      ...(isCall ? [textOf(item.name), textOf(item.arguments)] : []),
    ],
    // Reasoning and calls belong to the message of their answer.
    messages: isCall || item.type === "reasoning" ? 0 : 1,
    calls: isCall ? 1 : 0,
  };
}

const saidItems = ({ text, calls }: Saying, step: number): Item[] => [
  ...(text === ""
    ? []
    : [
        {
          id: `msg_${step}`,
          type: "message",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ]),
  ...calls.map(({ id, name, input }) => ({
    id: `fc_${id}`,
    type: "function_call",
    call_id: `call_${id}`,
    name,
    arguments: JSON.stringify(input),
    status: "completed",
  })),
];

function answerOf(output: readonly Item[], step: number): Answer {
  const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
  const usage = { input_tokens: 9, output_tokens: 7, total_tokens: 16, ...details };
  const base = {
    id: `resp_${step}`,
    object: "response",
    created_at: 1,
    model: "gpt",
    error: null,
    incomplete_details: null,
  };
  const whole = { ...base, status: "completed", output, usage };
  let sequence_number = 0;
  const named = (type: string, data: object) => event({ type, sequence_number: sequence_number++, ...data }, type);
  const events = [
    named("response.created", { response: { ...base, status: "in_progress", output: [], usage: null } }),
    ...output.flatMap((item, output_index) => [
      named("response.output_item.added", { output_index, item: emptied(item) }),
      ...piecesOf(item).map(([type, data]) => named(type, { output_index, item_id: item.id, ...data })),
      named("response.output_item.done", { output_index, item }),
    ]),
    named("response.completed", { response: whole }),
  ];
  return { whole, events };
}

function emptied(item: Item): Item {
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  return item.type === "function_call" ? { ...item, status: "in_progress", arguments: "" } : item;
}

function piecesOf(item: Item): [string, object][] {
  if (item.type === "function_call") {
    const input = textOf(item.arguments);
    const deltas = halves(input).map((delta): [string, object] => [
      "response.function_call_arguments.delta",
      { delta },
    ]);
    return [...deltas, ["response.function_call_arguments.done", { arguments: input }]];
  }
  const [part] = itemsOf(item.content);
  if (part === undefined) return [];
  const text = textOf(part.text);
  const place = { content_index: 0 };
  return [
    ["response.content_part.added", { ...place, part: { ...part, text: "" } }],
    ...halves(text).map((delta): [string, object] => ["response.output_text.delta", { ...place, delta, logprobs: [] }]),
    ["response.output_text.done", { ...place, text, logprobs: [] }],
    ["response.content_part.done", { ...place, part }],
  ];
}
