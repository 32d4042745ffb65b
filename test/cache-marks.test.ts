import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hierarchical, openVarve, slidingWindow, toAnthropic, type View } from "../src/index.js";
import { calls, result, user, words } from "./support/build.js";
import { type ModelServer, startModelServer } from "./support/model-server.js";

/** Marks as Anthropic's client sends them, against the rules by which its API caches. */
const LOOKBACK = 20;
const TOOLS: Anthropic.Messages.Tool[] = [{ name: "read", input_schema: { type: "object" } }];

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer([{ text: "ok" }]);
});
afterAll(() => server.close());

interface Block {
  readonly text: string;
  readonly isMarked: boolean;
}

/** The blocks of a request in the order of the cache: tools, system, messages. */
function blocksOf({ tools, system, messages }: Record<string, unknown>): Block[] {
  const said = (messages as Anthropic.MessageParam[]).flatMap(({ role, content }) =>
    (typeof content === "string" ? [{ type: "text", text: content }] : content).map((block) => ({ role, block })),
  );
  return [...(tools as object[]), ...(system as object[]), ...said].map((block) => ({
    text: JSON.stringify(block, (key, value) => (key === "cache_control" ? undefined : value)),
    isMarked: JSON.stringify(block).includes('"cache_control"'),
  }));
}

/** What the API does with a request: how many blocks it reads from the cache, and what it leaves there. */
function cached(blocks: readonly Block[], cache: Set<string>): number {
  const prefix = (length: number) =>
    blocks
      .slice(0, length)
      .map(({ text }) => text)
      .join("\n");
  const marks = blocks.flatMap(({ isMarked }, at) => (isMarked ? [at + 1] : []));
  const tried = marks.flatMap((length) => Array.from({ length: LOOKBACK }, (_, back) => length - back));
  const read = Math.max(0, ...tried.filter((length) => length > 0 && cache.has(prefix(length))));
  for (const length of marks) cache.add(prefix(length));
  return read;
}

/** The views of an agent whose steps have from 1 to 30 calls at once. */
async function views(strategy: ReturnType<typeof slidingWindow>): Promise<View<Anthropic.Messages.Tool>[]> {
  const session = await (await openVarve()).session("s", { window: 8_000, strategy });
  const made: View<Anthropic.Messages.Tool>[] = [];
  await session.append(user("Look at everything."));
  for (let at = 0; at < 40; at++) {
    const ids = Array.from({ length: at % 7 === 6 ? 30 : 1 + (at % 3) }, (_, place) => `c${at}_${place}`);
    made.push(await session.view({ system: "Be brief.", tools: TOOLS }));
    await session.append([calls(...ids), ...ids.map((id) => result(id, words(15, id)))]);
  }
  return made;
}

describe.each([slidingWindow, hierarchical])("a session sent by Anthropic's client with marks: %o", (strategy) => {
  it("reads from the cache all that the request before sent, and behind a cut the system prompt and the tools", async () => {
    const client = new Anthropic({ apiKey: "none", baseURL: server.url, maxRetries: 0 });
    const cache = new Set<string>();
    let before = 0;
    let cuts = 0;
    for (const view of await views(strategy())) {
      const prompt = toAnthropic(view, { cache: true });
      await client.messages.create({ model: "claude-haiku-5-5", max_tokens: 9, tools: TOOLS, ...prompt });
      const blocks = blocksOf(server.requests.at(-1)!.body);
      expect(blocks.filter(({ isMarked }) => isMarked).length).toBeLessThanOrEqual(4);
      const read = cached(blocks, cache);
      if (view.receipt !== undefined) {
        cuts++;
        expect(read).toBeGreaterThanOrEqual(2);
      } else expect(read).toBe(before);
      before = blocks.length;
    }
    expect(cuts).toBeGreaterThan(1);
  });
});
