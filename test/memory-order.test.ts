/** Calls at once on a scope: what was asked for first is done first, and nobody waits for an embedder that hangs. */
import { describe, expect, test } from "vitest";
import { type Embedder, openVarve } from "../src/index.js";
import { addresses } from "./support/store-addresses.js";

const scope = { user: "ann" };

/** An embedder whose calls wait while it is held. */
function heldEmbedder() {
  let held = Promise.resolve();
  let letGo = (): void => undefined;
  const embedder: Embedder = {
    name: "held",
    dimensions: 2,
    embed: async (texts) => {
      await held;
      return texts.map((text) => new Float32Array(text.includes("boat") ? [1, 0] : [0, 1]));
    },
  };
  const hold = (): void => {
    held = new Promise((done) => {
      letGo = done;
    });
  };
  const release = (): void => {
    letGo();
    held = Promise.resolve();
  };
  return { embedder, hold, release };
}

describe.each(Object.keys(addresses))("calls at once on %s", (kind) => {
  const open = () => openVarve({ store: addresses[kind]!() });

  test("a memory that is being stored is there for the call after it", async () => {
    const varve = await open();
    const memory = varve.memory({ scope });
    const [, forgotten] = await Promise.all([memory.store("My boat is Esmeralda", { id: "d" }), memory.forget("d")]);
    expect(forgotten.forgotten).toEqual(["d"]);
    expect(await memory.get("d")).toBeUndefined();
    await Promise.all([memory.store("The port is 8080", { id: "u" }), memory.update("u", "The port is 9090")]);
    expect((await memory.history("u")).map(({ content }) => content)).toEqual(["The port is 8080", "The port is 9090"]);
    const [, , gone] = await Promise.all([
      memory.store("The host is alpha", { id: "h" }),
      memory.update("h", "The host is beta"),
      memory.forget("h"),
    ]);
    expect(gone.removed.versions).toBe(2);
    expect(await memory.get("h")).toBeUndefined();
    await varve.close();
  });

  test("whoever forgets a scope forgets what is being stored in it and in those within it", async () => {
    const varve = await open();
    const memory = varve.memory({ scope });
    const inner = varve.memory({ scope: { ...scope, project: "atlas" } });
    const stores = Array.from({ length: 20 }, (_, n) => (n % 2 ? memory : inner).store(`Note ${n} on topic ${n * 7}`));
    const [{ forgotten }] = await Promise.all([memory.forgetAll(), ...stores]);
    expect(forgotten).toHaveLength(20);
    expect((await memory.list()).memories).toEqual([]);
    await Promise.all([inner.store("The port is 8080", { id: "u" }), memory.update("u", "The port is 9090")]);
    expect((await inner.get("u"))!.content).toBe("The port is 9090");
    await varve.close();
  });
});

describe("an embedder that hangs", () => {
  test("holds no other call up, and its vectors are added when it is done", async () => {
    const { embedder, hold, release } = heldEmbedder();
    const varve = await openVarve({ store: "memory", embedder });
    const memory = varve.memory({ scope });
    await memory.store("My diary says hello", { id: "d" });
    hold();
    const late = memory.store("My boat is Esmeralda", { id: "late" });
    expect((await memory.forget("d")).forgotten).toEqual(["d"]);
    expect((await memory.get("late"))!.content).toBe("My boat is Esmeralda");
    release();
    expect(await late).toMatchObject({ status: "stored" });
    const progress = await varve.embed({ onProgress: () => expect.fail("a memory had no vectors") });
    expect(progress).toEqual({ done: 1, total: 1 });
    await varve.close();
  });

  const never: Embedder = { name: "never", dimensions: 2, embed: () => new Promise(() => {}) };
  const warned: string[] = [];
  const opened = () => openVarve({ store: "memory", embedder: never, onWarning: ({ code }) => warned.push(code) });

  test("for ever holds up no call: each returns within its time, and words find what has no vectors", async () => {
    const varve = await opened();
    const memory = varve.memory({ scope });
    await memory.store("My boat is Esmeralda", { id: "b" });
    expect((await memory.retrieve("boat")).map(({ id }) => id)).toEqual(["b"]);
    await memory.update("b", "My boat is Albatross");
    const lines: string[] = [];
    for await (const line of memory.export()) lines.push(line);
    expect(await memory.import(lines)).toEqual({ imported: 2 });
    await expect(varve.embed({ timeout: 50 })).rejects.toMatchObject({ code: "embedding-failed", retryable: true });
    await expect(varve.embed({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ code: "aborted" });
    expect((await memory.forget("b")).forgotten).toEqual(["b"]);
    await varve.close();
    expect(warned).toContain("embedding-failed");
  }, 30_000);

  test("for ever holds up no session: views show what words recall, and closing ends", async () => {
    const varve = await opened();
    const session = await varve.session("s", { window: 8_000, memory: { scope } });
    await session.append([
      { role: "user", content: "My boat is Esmeralda." },
      { role: "assistant", content: "A fine name." },
    ]);
    await session.flush();
    const other = await varve.session("t", { window: 8_000, memory: { scope } });
    await other.append({ role: "user", content: "What is my boat called?" });
    expect(JSON.stringify((await other.view()).messages)).toContain("Esmeralda");
    await varve.close();
  }, 30_000);

  test("gives its vectors to what a memory is by then, and to none that is gone", async () => {
    const { embedder, hold, release } = heldEmbedder();
    const varve = await openVarve({ store: "memory", embedder });
    const memory = varve.memory({ scope });
    hold();
    const early = [
      memory.store("My employer is Acme", { id: "old", at: "2024-01-01" }),
      memory.store("My boat is Esmeralda", { id: "gone" }),
    ];
    const forgotten = memory.forget("gone");
    const later = memory.store("My employer is now Globex", { id: "new", at: "2025-01-01" });
    while ((await memory.get("new")) === undefined) await new Promise((done) => setTimeout(done, 5));
    release();
    await Promise.all([...early, later, forgotten]);
    expect((await memory.get("old"))!.validUntil).toBeDefined();
    expect(await memory.get("gone")).toBeUndefined();
    expect(await varve.embed({ onProgress: () => expect.fail("a memory had no vectors") })).toMatchObject({ done: 2 });
    expect(await memory.audit()).toMatchObject({ leftovers: 0 });
    await varve.close();
  });
});

describe("forgetting in sessions", () => {
  const user = (content: string) => ({ role: "user" as const, content });
  const agent = (content: string) => ({ role: "assistant" as const, content });

  test("reaches what the agent says again while it is proven", async () => {
    const { embedder, hold, release } = heldEmbedder();
    const varve = await openVarve({ store: "memory", embedder });
    const session = await varve.session("s", { window: 16_000, memory: { scope } });
    await session.append([user("My locker word is zebrafish."), agent("Let us go on with the roadmap.")]);
    await session.flush();
    hold();
    const forgetting = varve.memory({ scope }).forget("s:0");
    while ((await varve.memory({ scope }).get("s:0")) !== undefined) await new Promise((done) => setImmediate(done));
    await session.append([user("Repeat what you know"), agent("Your locker word is zebrafish.")]);
    release();
    expect((await forgetting).sessions).toMatchObject([{ session: "s" }]);
    expect(JSON.stringify(session.entries())).not.toContain("zebrafish");
    await varve.close();
  });

  test("names no session as kept that it has taken the text out of", async () => {
    const varve = await openVarve({ store: "memory" });
    for (const project of ["one", "two"]) {
      const session = await varve.session(project, { window: 8_000, memory: { scope: { ...scope, project } } });
      const look = { type: "tool-call" as const, toolCallId: "c1", toolName: "look", input: {} };
      const word = `Your launch word is zebrafish${project}.`;
      await session.append([user(`My launch word is zebrafish${project}.`), agent("Let us go on with the roadmap.")]);
      await session.append([
        user("Go on with it then please"),
        { role: "assistant", content: [{ type: "text", text: word }, look] },
      ]);
      await session.flush();
    }
    const { sessions, kept } = await varve.memory({ scope }).forgetAll();
    expect(sessions.map(({ session }) => session).sort()).toEqual(["one", "two"]);
    expect(kept).toEqual([]);
    await varve.close();
  });
});
