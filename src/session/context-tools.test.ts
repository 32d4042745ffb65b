import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { says, user } from "../../test/support/build.js";
import type { ToolMessage } from "../message/types.js";
import { entities } from "../view/strategies/entities/entities.js";
import { slidingWindow } from "../view/strategies/sliding-window.js";
import { contextTools } from "./context-tools.js";
import { openVarve } from "./open-varve.js";
import type { Session } from "./session.js";
import type { SessionOptions } from "./session-options.js";

const MORE = /\n\[\d+ more characters: offset (\d+)\]$/;
const ENGLISH = Array.from({ length: 900 }, (_, at) => `row ${at} of the ledger holds ${at * 37} coins`).join("\n");
const CHINESE = Array.from({ length: 900 }, (_, at) => `第${at}行：账本里有${at * 37}枚硬币。`).join("\n");

const open = async (text: string, options: SessionOptions): Promise<Session> => {
  const session = await (await openVarve()).session("s", options);
  await session.append([user(text), says("Noted."), user("what was in it?")]);
  return session;
};

const execute = (session: Session, name: string, input: unknown): string =>
  contextTools(session)
    .find((tool) => tool.name === name)!
    .execute(input);

const result = (value: string): ToolMessage => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "c", toolName: "context_expand", output: { type: "text", value } }],
});

/** Says what a tool returned as its result, and returns what a view then shows of it. */
async function shown(session: Session, input: object, value: string): Promise<unknown> {
  const call = { type: "tool-call", toolCallId: "c", toolName: "context_expand", input } as const;
  await session.append([{ role: "assistant", content: [call] }, result(value)]);
  return (await session.view()).messages.at(-1);
}

describe("context_expand", () => {
  it.each<[string, string, SessionOptions]>([
    ["a small window", ENGLISH, { window: 1_500 }],
    ["a small window of digests", CHINESE, { window: 1_500, strategy: "hierarchical" }],
    ["a small share for results", CHINESE, { window: 4_000, strategy: slidingWindow({ resultShare: 0.08 }) }],
    ["a state beside the turns", ENGLISH, { window: 1_500, strategy: entities({ schema: { properties: { a: {} } } }) }],
  ])("gives pages that a view shows whole, and that make the whole, in %s", async (_case, text, options) => {
    const session = await open(text, options);
    let whole = "";
    for (let offset = 0, pages = 0; ; pages++) {
      const input = { id: "e0", offset };
      const page = execute(session, "context_expand", input);
      if (pages < 3) expect(await shown(session, input, page)).toEqual(result(page));
      whole += page.replace(MORE, "");
      const more = MORE.exec(page);
      if (more === null) break;
      offset = Number(more[1]);
    }
    expect(whole).toBe(text);
  });

  it("keeps to a limit, also one that is told as text", async () => {
    const session = await open(ENGLISH, { window: 100_000 });
    for (const limit of [50, "50"])
      expect(execute(session, "context_expand", { id: "e0", limit }).replace(MORE, "")).toBe(ENGLISH.slice(0, 50));
  });
});

describe("a tool of the context", () => {
  it("tells what is wrong with a call, whatever a model sends", async () => {
    const session = await open("The port is 5433.", { window: 2_000 });
    fc.assert(
      fc.property(fc.constantFrom("context_expand", "context_search"), fc.jsonValue(), (name, input) => {
        expect(execute(session, name, input)).toEqual(expect.any(String));
      }),
    );
    expect(execute(session, "context_expand", { id: "e0", offset: 0.5 })).toContain("offset");
    expect(execute(session, "context_search", { query: "port", limit: -1 })).toContain("limit");
    expect(execute(session, "context_expand", null)).toContain("no such entry");
  });
});
