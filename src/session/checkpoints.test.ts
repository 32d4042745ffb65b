import { describe, expect, it } from "vitest";
import { call, calls, result, user, words } from "../../test/support/build.js";
import { conversation } from "../../test/support/conversation.js";
import type { Message } from "../message/types.js";
import { memoryStore } from "../store/drivers/memory.js";
import { openVarve } from "./open-varve.js";

describe("checkpoints that are made by themselves", () => {
  it("count the messages of the present branch, also after a restore", async () => {
    const session = await (await openVarve()).session("s", { window: 50_000, checkpointEvery: 4 });
    const { id } = await session.checkpoint();
    for (let turn = 0; turn < 10; turn++) await session.append(conversation(1, { from: turn }));
    expect(session.checkpoints()).toHaveLength(11);
    await session.restore(id);
    for (let turn = 0; turn < 2; turn++) await session.append(conversation(1, { from: turn }));
    expect(session.checkpoints()).toHaveLength(13);
    expect(session.checkpoints().at(-1)).toMatchObject({ entries: 8, head: session.entries().at(-1)!.id });
  });

  it("leave no state of a view behind when they go", async () => {
    const store = memoryStore();
    const options = { window: 3_000, strategy: "hierarchical", checkpointEvery: 4 };
    const session = await (await openVarve({ store })).session("s", options);
    for (let turn = 0; turn < 40; turn++) {
      await session.append(conversation(1, { from: turn }));
      if (turn > 2) await session.compact();
    }
    const { documents } = (await store.read("s", { documents: ["viewer/", "state/viewer", "state/undo"] }))!;
    const rows = [...documents.keys()]
      .filter((name) => name.startsWith("viewer/"))
      .map((name) => Number(name.slice(7)));
    const pointed = JSON.parse(documents.get("state/viewer")!) as { row: number };
    const steps = JSON.parse(documents.get("state/undo")!) as { row: number }[];
    const named = [pointed, ...steps, ...session.checkpoints()].map(({ row }) => row).filter((row) => row >= 0);
    expect(session.checkpoints()).toHaveLength(20);
    expect(rows).toEqual([...new Set(named)].sort((a, b) => a - b));
  });

  it.each([0, -1, Number.NaN, 1.5, "x"])("are refused every %s messages", async (checkpointEvery) => {
    const varve = await openVarve();
    const opening = varve.session("s", { window: 5_000, checkpointEvery: checkpointEvery as number });
    await expect(opening).rejects.toMatchObject({ code: "invalid-option", details: { option: "checkpointEvery" } });
  });
});

describe("a checkpoint", () => {
  it.each(["c2", "", 5])("has no name such as %j", async (name) => {
    const session = await (await openVarve()).session("s", { window: 5_000 });
    await expect(session.checkpoint(name as string)).rejects.toMatchObject({ code: "invalid-option" });
    expect(session.checkpoints()).toEqual([]);
  });

  it("leads to views that show nothing of the branch that was left", async () => {
    const session = await (await openVarve()).session("s", { window: 4_000 });
    for (let turn = 0; turn < 20; turn++) await session.append(conversation(1, { from: turn }));
    await session.compact();
    const { id } = await session.checkpoint();
    const look = async (word: string) => {
      await session.append([user(`look at ${word}`), calls(word), result(word, words(3_000, word))]);
      return JSON.stringify((await session.view()).messages);
    };
    expect(await look("quokka")).toContain("quokka quokka");
    await session.restore(id);
    const view = await look("narwhal");
    expect(view).toContain("narwhal narwhal");
    expect(view).not.toContain("quokka");
  });

  it("brings back the tasks and the workspace of its branch", async () => {
    const session = await (await openVarve()).session("s", { window: 5_000 });
    const list = (content: string): Message => {
      const input = { todos: [{ content, status: "in_progress" }] };
      return { role: "assistant", content: [{ ...call("t", input), toolName: "todo_write" }] };
    };
    await session.append([user("The working directory is /src/old"), list("Read the old parser")]);
    const { id } = await session.checkpoint();
    await session.append([user("The working directory is /src/new"), list("Write a new one")]);
    await session.restore(id);
    const { active_tasks, system_state, tool_stats } = session.context();
    expect(active_tasks.map(({ description }) => description)).toEqual(["Read the old parser"]);
    expect(system_state.last_workspace).toBe("/src/old");
    expect(tool_stats.total_calls).toBe(2);
    await session.append(list("Mend the old parser"));
    expect(session.context().active_tasks.map(({ description }) => description)).toEqual(["Mend the old parser"]);
  });
});
