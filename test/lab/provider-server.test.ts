/** The server refuses what the provider refuses; that a plain conversation is none of it shows in `lab.test.ts`. */
import { afterEach, describe, expect, it } from "vitest";
import type { Item } from "../fuzz/rules/request.js";
import type { Protocol } from "./protocol.js";
import { anthropicProtocol } from "./protocols/anthropic.js";
import { geminiProtocol } from "./protocols/gemini.js";
import { openaiChatProtocol } from "./protocols/openai-chat.js";
import { openaiResponsesProtocol } from "./protocols/openai-responses.js";
import { type ProviderServer, startProviderServer } from "./provider-server.js";

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serverOf(protocol: Protocol, window = 8_000) {
  const server = await startProviderServer(protocol, window);
  servers.push(server);
  const post = async (body: Item): Promise<Item> => {
    const path = "contents" in body ? "/v1beta/models/m:generateContent" : "/v1/messages";
    const response = await fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify(body) });
    return { ...Object(await response.json()), code: response.status };
  };
  return { post, account: server.account };
}

const user = { role: "user", content: "Find the bug." };
const thinking = { type: "enabled", budget_tokens: 1_024 };

/** What Claude says to a user, with a call, and the results of its calls. */
async function claudeTurn({ post }: Awaited<ReturnType<typeof serverOf>>) {
  const { content } = await post({ messages: [user], thinking });
  const blocks = content as Item[];
  const results = blocks.flatMap(({ type, id }) =>
    type === "tool_use" ? [{ type: "tool_result", tool_use_id: id, content: "ok" }] : [],
  );
  return { blocks, results: { role: "user", content: results } };
}

describe("the server of Claude", () => {
  it("takes bound thinking under the prefix it was written under, and no other", async () => {
    const server = await serverOf(anthropicProtocol("bound"));
    const { blocks, results } = await claudeTurn(server);
    const messages = [user, { role: "assistant", content: blocks }, results];
    expect(await server.post({ messages, thinking })).toMatchObject({ code: 200 });
    expect(await server.post({ messages, thinking, system: "S" })).toMatchObject({ code: 400 });
    expect(server.account.refused).toEqual([expect.stringContaining("thinking-signature")]);
  });

  it("takes thinking of an older model anywhere, but no running turn without it", async () => {
    const server = await serverOf(anthropicProtocol("opens-turn"));
    const { blocks, results } = await claudeTurn(server);
    const without = blocks.filter(({ type }) => type !== "thinking");
    const ask = (content: readonly Item[], system: string) =>
      server.post({ messages: [user, { role: "assistant", content }, results], thinking, system });
    expect(await ask(blocks, "S")).toMatchObject({ code: 200 });
    expect(await ask(without, "S")).toMatchObject({ code: 400 });
    expect(server.account.refused).toEqual([expect.stringContaining("turn-without-thinking")]);
  });
});

describe("the server of OpenAI", () => {
  it("takes reasoning and the call it led to together alone", async () => {
    const { post, account } = await serverOf(openaiResponsesProtocol());
    const asked = { type: "message", role: "user", content: "Find the bug." };
    const output = (await post({ input: [asked] })).output as Item[];
    const outputs = output.flatMap(({ type, call_id }) =>
      type === "function_call" ? [{ type: "function_call_output", call_id, output: "ok" }] : [],
    );
    expect(await post({ input: [asked, ...output, ...outputs] })).toMatchObject({ code: 200 });
    expect(await post({ input: [asked, ...output.slice(1), ...outputs] })).toMatchObject({ code: 400 });
    expect(await post({ input: [asked, output[0]!, asked] })).toMatchObject({ code: 400 });
    expect(account.refused).toEqual([
      expect.stringContaining("reasoning-missing"),
      expect.stringContaining("reasoning-alone"),
    ]);
  });

  it("takes nothing that is larger than the window", async () => {
    const { post, account } = await serverOf(openaiChatProtocol(), 20);
    expect(await post({ messages: [{ role: "user", content: "word ".repeat(16) }] })).toMatchObject({ code: 400 });
    expect(await post({ messages: [{ role: "user", content: "word ".repeat(12) }] })).toMatchObject({ code: 200 });
    expect(account).toMatchObject({ requests: 2, over: 1, largest: 21 });
  });
});

describe("the server of Gemini", () => {
  it("takes no call of the running turn without its signature", async () => {
    const { post, account } = await serverOf(geminiProtocol());
    const asked = { role: "user", parts: [{ text: "Find the bug." }] };
    const [candidate] = (await post({ contents: [asked] })).candidates as { content: { parts: Item[] } }[];
    const { parts } = candidate!.content;
    const results = parts.flatMap(({ functionCall }) =>
      functionCall ? [{ functionResponse: { ...functionCall, response: { output: "ok" } } }] : [],
    );
    const ask = (said: readonly Item[]) =>
      post({ contents: [asked, { role: "model", parts: said }, { role: "user", parts: results }] });
    expect(await ask(parts)).toMatchObject({ code: 200 });
    expect(await ask(parts.map(({ thoughtSignature: _, ...part }) => part))).toMatchObject({ code: 400 });
    expect(account.refused).toEqual([expect.stringContaining("thought-signature")]);
  });
});
