import { describe, expect, it } from "vitest";
import { user } from "../../test/support/build.js";
import type { Message } from "../message/types.js";
import { memoryStore } from "../store/drivers/memory.js";
import { openVarve } from "./open-varve.js";

const OPTIONS = { window: 5_000 };
const reused = expect.objectContaining({ code: "key-reused", hint: expect.any(String) });

describe("an append with a key that is known", () => {
  it("and other messages is refused, and nothing is added", async () => {
    const session = await (await openVarve()).session("s", OPTIONS);
    await session.append(user("Pay 10"), { key: "k" });
    await expect(session.append(user("Pay 1000"), { key: "k" })).rejects.toEqual(reused);
    await expect(session.append([], { key: "k" })).rejects.toEqual(reused);
    await expect(session.append([user("Pay 10"), user("more")], { key: "k" })).rejects.toEqual(reused);
    expect(session.entries()).toHaveLength(1);
  });

  it("by another process is refused there too", async () => {
    const store = memoryStore();
    const [one, two] = [await openVarve({ store }), await openVarve({ store })];
    const [here, there] = [await one.session("s", OPTIONS), await two.session("s", OPTIONS)];
    await here.append(user("Pay 10"), { key: "k" });
    await expect(there.append(user("Pay 1000"), { key: "k" })).rejects.toEqual(reused);
    expect(await there.append(user("Pay 10"), { key: "k" })).toHaveLength(1);
  });

  it("and the same messages adds nothing, in whatever order their fields are", async () => {
    const session = await (await openVarve()).session("s", OPTIONS);
    const call = { type: "tool-call", toolCallId: "c", toolName: "t" } as const;
    const url = () => new URL("https://a.b");
    const messages: Message[] = [
      user("go"),
      { role: "assistant", content: [{ ...call, input: { a: 1, b: [url()] } as never }] },
    ];
    const turned: Message = { content: [{ input: { b: [url()], a: 1 } as never, ...call }], role: "assistant" };
    await session.append(messages, { key: "k" });
    expect(await session.append([user("go"), turned], { key: "k" })).toHaveLength(2);
    expect(session.entries()).toHaveLength(2);
  });

  it("and the same messages under another cache mark adds nothing, and no entry has one", async () => {
    const session = await (await openVarve()).session("s", OPTIONS);
    const marks = { anthropic: { cacheControl: { type: "ephemeral" } } };
    const marked = (isFirst: boolean): Message[] => [
      { role: "user", content: [{ type: "text", text: "go", ...(isFirst && { providerOptions: marks }) }] },
      { role: "assistant", content: "gone", ...(!isFirst && { providerOptions: marks }) },
    ];
    const entries = await session.append(marked(true), { key: "k" });
    expect(await session.append(marked(false), { key: "k" })).toEqual(entries);
    expect(JSON.stringify(session.entries())).not.toContain("cacheControl");
  });

  it("is still a repetition once its text was forgotten", async () => {
    const varve = await openVarve();
    const memory = { scope: { user: "ann" } };
    const session = await varve.session("s", { ...OPTIONS, memory });
    await session.append([user("My locker code is 7391."), { role: "assistant", content: "Noted." }], { key: "k" });
    await session.learn();
    await varve.memory(memory).forgetAll();
    const again = [user("My locker code is 7391."), { role: "assistant", content: "Noted." } as const];
    expect(await session.append(again, { key: "k" })).toHaveLength(2);
    expect(JSON.stringify(session.entries())).not.toContain("7391");
  });
});
