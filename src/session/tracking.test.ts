import { describe, expect, it } from "vitest";
import { user } from "../../test/support/build.js";
import { VarveError } from "../errors.js";
import { memoryStore } from "../store/drivers/memory.js";
import { Commits } from "./commits.js";
import { openVarve } from "./open-varve.js";
import { StoredLog } from "./stored-log.js";
import type { TrackedChange } from "./tracked-change.js";

describe("what is tracked", () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;

  it.each<[string, unknown]>([
    ["nothing", null],
    ["a number", 5],
    ["facts that are no list", { facts: 5 }],
    ["a big integer", { environment: { memory: 5n } }],
    ["a circle", { preferences: circle }],
    ["a status that is no text", { tasks: [{ id: "t", status: 5 }] }],
    ["a task without an id", { tasks: [{ description: "Migrate" }] }],
    ["progress beyond the end", { tasks: [{ id: "t", progress: 7 }] }],
    ["a field that does not exist", { fact: ["a"] }],
  ])("is refused at the call where it is %s, and later appends go through", async (_name, change) => {
    const session = await (await openVarve()).session("s", { window: 5_000 });
    const refusal = expect.objectContaining({ code: "invalid-option", hint: expect.stringMatching(/./) });
    expect(() => session.track(change as TrackedChange)).toThrow(refusal);
    await session.append(user("a"));
    await session.flush();
    expect(session.context().facts).toEqual([]);
  });

  it("does not change when the caller changes it afterwards", async () => {
    const store = memoryStore();
    const session = await (await openVarve({ store })).session("s", { window: 5_000 });
    const environment = { disk: { free: 1 } };
    session.track({ environment });
    environment.disk.free = 2;
    await session.append(user("a"));
    const again = await (await openVarve({ store })).session("s");
    expect(again.context().last_known_environment.system_snapshot).toEqual({ disk: { free: 1 } });
  });
});

it("a write that throws is dropped and told of, and what waits beside it is written", async () => {
  const store = memoryStore();
  const warnings: VarveError[] = [];
  const ports = { store, now: () => 0, onMissed: () => {}, onGone: () => {} };
  const stored = new StoredLog("s", ports);
  const commits = new Commits({ stored, onWritten: () => {}, warn: (warning) => warnings.push(warning) });
  commits.defer(() => {
    throw new TypeError("broken");
  });
  commits.defer((documents) => documents.set("state/good", 1));
  await commits.commit({});
  commits.defer((documents) => documents.set("state/better", 2));
  await commits.commit({});
  expect([stored.document("state/good"), stored.document("state/better")]).toEqual([1, 2]);
  expect(warnings).toHaveLength(1);
  expect(VarveError.isInstance(warnings[0]) && warnings[0].cause).toBeInstanceOf(TypeError);
});
