import { beforeEach, describe, expect, it } from "vitest";
import { user } from "../../test/support/build.js";
import { openVarve } from "./open-varve.js";
import type { Session } from "./session.js";

const refusal = (option: string, code = "invalid-option") =>
  expect.objectContaining({ code, hint: expect.any(String), details: expect.objectContaining({ option }) });

/** What a program without types may pass. */
const odd = (value: unknown) => value as never;

describe("a session that is handed nonsense", () => {
  let session: Session;
  beforeEach(async () => {
    session = await (await openVarve()).session("s", { window: 1_000 });
    await session.append(user("the port is 5433"));
  });

  it.each<[string, string, (session: Session) => unknown]>([
    ["a search for nothing", "query", (each) => each.search(odd(undefined))],
    ["a search for a number", "query", (each) => each.search(odd(5))],
    ["a search with no options", "options", (each) => each.search("port", odd(null))],
    ["a search for half an entry", "limit", (each) => each.search("port", { limit: 0.5 })],
    ["a search for no entry", "limit", (each) => each.search("port", { limit: 0 })],
    ["an expansion with no options", "options", (each) => each.expand("e0", odd(null))],
    ["an expansion from half a character", "offset", (each) => each.expand("e0", { offset: 0.5 })],
    ["an expansion from a text", "offset", (each) => each.expand("e0", { offset: odd("1") })],
    ["an expansion of endless pages", "limit", (each) => each.expand("e0", { limit: Number.POSITIVE_INFINITY })],
    ["a pin with no options", "options", (each) => each.pin("e0", odd(null))],
    ["a pin for half a turn", "turns", (each) => each.pin("e0", { turns: 1.5 })],
    ["endless usage", "usage.inputTokens", (each) => each.reportUsage({ inputTokens: Number.POSITIVE_INFINITY })],
    ["an option that is none", "windw", (each) => each.configure(odd({ windw: 5 }))],
  ])("refuses %s by name", (_case, option, act) => {
    expect(() => act(session)).toThrow(refusal(option));
  });

  it("refuses an option that is none when it is opened", async () => {
    const varve = await openVarve();
    await expect(varve.session("t", odd({ window: 1_000, stratgy: "importance" }))).rejects.toEqual(refusal("stratgy"));
  });
});
