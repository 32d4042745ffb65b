import type { Budget } from "../../compaction/budget.js";
import type { BlockName, View } from "../../compaction/view.js";
import { VarveError } from "../../errors.js";
import type { Message } from "../../message/types.js";
import { toOpenAI } from "../../wire/openai-chat.js";
import { CHAT_MESSAGES } from "../../wire/openai-chat-mend.js";

/** What a view cannot do without, in tokens. */
export interface Floor {
  readonly system: number;
  readonly tools: number;
  readonly pins: number;
  readonly lastTurn: number;
}

const REMEDY: Record<keyof Floor, string> = {
  system: "shorten the system prompt",
  tools: "send fewer tools",
  pins: "unpin something",
  lastTurn: "shorten the last message",
};

/** No view leaves that is over, whatever a stand-in or a counter of the caller's own did. */
export function checkFits({ tokens, blocks }: Pick<View, "tokens" | "blocks">, budget: Budget): void {
  if (tokens <= budget.usable) return;
  const of = (name: BlockName) => blocks.find((block) => block.name === name)?.tokens ?? 0;
  const lastTurn = tokens - of("system") - of("tools");
  throw floorExceeded({ system: of("system"), tools: of("tools"), pins: 0, lastTurn }, budget);
}

/** No view leaves that a provider would refuse for its length. */
export function checkCount(messages: readonly Message[]): void {
  const parts = messages.reduce((sum, { role, content }) => sum + (role === "tool" ? content.length + 1 : 1), 0);
  if (parts <= CHAT_MESSAGES) return;
  const count = toOpenAI(messages).length;
  if (count <= CHAT_MESSAGES) return;
  throw new VarveError({
    code: "too-many-messages",
    message: `The view has ${count} messages; OpenAI's Chat Completions take ${CHAT_MESSAGES}.`,
    hint: "Unpin something, or append less at once: an exchange is shown whole, with the results of all its calls.",
    details: { count, most: CHAT_MESSAGES },
  });
}

/** The refusal to build a view whose irreducible parts are larger than the window: no model is called for it. */
export function floorExceeded(floor: Floor, budget: Budget): VarveError {
  const parts = Object.entries(floor) as [keyof Floor, number][];
  const needed = parts.reduce((sum, [, tokens]) => sum + tokens, 0);
  const [largest] = parts.reduce((most, part) => (part[1] > most[1] ? part : most));
  const sizes = `system ${floor.system}, tools ${floor.tools}, pins ${floor.pins}, last turn ${floor.lastTurn}`;
  return new VarveError({
    code: "floor-exceeds-window",
    message: `The view needs at least ${needed} tokens (${sizes}); the window has ${budget.usable} for it.`,
    hint: `Above all ${REMEDY[largest]}, or choose a model with a larger window.`,
    details: { ...floor, needed, usable: budget.usable, window: budget.window, reserve: budget.reserve, largest },
  });
}
