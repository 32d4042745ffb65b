import type { Embedder } from "../../src/embed/embedder.js";
import { messageText } from "../../src/message/content.js";
import type { Message } from "../../src/message/types.js";
import { openVarve, type Varve, type VarveOptions } from "../../src/session/open-varve.js";
import type { SessionOptions } from "../../src/session/session-options.js";

/** An embedder that costs nothing: a text is the letters that it has. */
export const letterEmbedder: Embedder = {
  name: "letters",
  dimensions: 26,
  embed: async (texts) =>
    texts.map((text) => {
      const vector = new Float32Array(26).fill(0.01);
      for (const letter of text.toLowerCase()) {
        const at = letter.charCodeAt(0) - 97;
        if (at >= 0 && at < 26) vector[at]! += 1;
      }
      const length = Math.hypot(...vector);
      return vector.map((value) => value / length);
    }),
};

/** A varve whose clock goes on by a second each time that somebody looks. */
export function remembering(options: VarveOptions = {}): Promise<Varve> {
  let time = Date.UTC(2026, 0, 2, 8);
  return openVarve({
    embedder: letterEmbedder,
    now: () => {
      time += 1_000;
      return time;
    },
    ...options,
  });
}

/** The message of a view that shows memories. */
export const memoriesIn = (messages: readonly Message[]): string | undefined =>
  messages.map(messageText).find((text) => text.startsWith("<memories>"));

/** The messages of a view that show memories, in its order. */
export const blocksIn = (messages: readonly Message[]): string[] =>
  messages.map(messageText).filter((text) => text.startsWith("<memories>"));

/** Options of a session whose turns become ann's memories. */
export const LEARNER: SessionOptions = { window: 4_000, memory: { scope: { user: "ann" } } };

/** All memories of ann's, by id, with how often each was stored. */
export async function learntBy(varve: Varve): Promise<Map<string, number>> {
  const memory = varve.memory({ scope: { user: "ann" } });
  const learnt = new Map<string, number>();
  let after: string | undefined;
  do {
    const page = await memory.list(after === undefined ? {} : { after });
    for (const { id, times } of page.memories) learnt.set(id, times + (learnt.get(id) ?? 0));
    after = page.next;
  } while (after !== undefined);
  return learnt;
}
