import { describe, expect, it } from "vitest";
import {
  type Message,
  openVarve,
  type Plan,
  type PlanInput,
  planMessages,
  type Session,
  type Strategy,
  VarveError,
  type View,
} from "../src/index.js";
import { calls, says, user, words } from "./support/build.js";

/** A plan that shows these messages, and the whole log unless given. */
const planOf = (input: PlanInput, messages?: readonly Message[]): Plan =>
  planMessages("mine", messages ?? input.reading.log.entries.map(({ message }) => message), input);

const strategyOf = (plan: Strategy["plan"], more: Partial<Strategy> = {}): Strategy => ({
  name: "mine",
  plan,
  composePayload: () => Promise.reject(new Error("not here")),
  onTurnComplete: () => Promise.reject(new Error("not here")),
  ...more,
});

const open = async (plan: Strategy["plan"], more?: Partial<Strategy>): Promise<Session> =>
  (await openVarve()).session("s", { window: 1_000, strategy: strategyOf(plan, more) });

const TURNS: readonly Message[] = [user("which port?"), says("5433"), user("and which host?"), says("db-1")];

async function viewOf(changed: (messages: readonly Message[]) => unknown): Promise<View> {
  const session = await open((input) => planOf(input, changed(TURNS) as Message[]));
  await session.append(TURNS);
  return session.view();
}

const fault = (reason: string) => ({ code: "invalid-plugin", details: { strategy: "mine", reason } });
const failure = (method: string) => ({
  code: "invalid-plugin",
  message: expect.stringContaining("out of luck"),
  details: { strategy: "mine", method },
});

function outOfLuck(): never {
  throw new TypeError("out of luck");
}

describe("a strategy of somebody else", () => {
  it("has its views handed out where they keep what views promise", async () => {
    expect((await viewOf((messages) => messages)).messages).toEqual(TURNS);
    const shortened = (messages: readonly Message[]) => [user("<c/>\nand which host?"), ...messages.slice(3)];
    expect((await viewOf(shortened)).messages).toHaveLength(2);
  });

  it.each<[string, string, (messages: readonly Message[]) => unknown]>([
    ["is too large", "size", (messages) => [...messages, user(words(2_000))]],
    ["leaves a call open", "legality", (messages) => [user("a"), calls("c1"), ...messages]],
    ["starts with the assistant", "legality", (messages) => messages.slice(1)],
    ["is empty", "last-user", () => []],
    ["lacks the last request", "last-user", (messages) => messages.slice(0, 2)],
  ])("is refused a view that %s", async (_case, reason, changed) => {
    await expect(viewOf(changed)).rejects.toMatchObject(fault(reason));
  });

  it.each<[string, string, (plan: Plan) => unknown]>([
    ["holds no message", "message", (plan) => ({ ...plan, items: [{ kind: "foreign", message: {}, tokens: 1 }] })],
    ["has no tokens", "shape", (plan) => ({ ...plan, tokens: Number.NaN })],
    ["has no items", "shape", (plan) => ({ ...plan, items: undefined })],
    ["is none", "shape", () => undefined],
  ])("is refused a plan that %s", async (_case, reason, changed) => {
    const session = await open((input) => changed(planOf(input)) as Plan);
    await session.append(TURNS);
    await expect(session.view()).rejects.toMatchObject(fault(reason));
  });

  it("is refused a view without what is pinned", async () => {
    const session = await open((input) => planOf(input, TURNS.slice(2)));
    const [first] = await session.append(TURNS);
    await expect(session.view()).resolves.toBeDefined();
    session.pin(first!.id);
    await expect(session.view()).rejects.toMatchObject(fault("pin"));
  });

  it("is named where it fails, and leaves what was appended in the log", async () => {
    let fails = true;
    const work = () => (fails ? outOfLuck() : undefined);
    const session = await open((input) => (fails ? outOfLuck() : planOf(input)), { work });
    await session.append(TURNS);
    expect(session.entries()).toHaveLength(4);
    await expect(session.view()).rejects.toMatchObject(failure("work"));
    await expect(session.view()).rejects.toMatchObject(failure("plan"));
    fails = false;
    expect((await session.view()).messages).toEqual(TURNS);
  });

  it("may say itself, by a VarveError, why it makes no view", async () => {
    const said = new VarveError({ code: "floor-exceeds-window", message: "The map does not fit." });
    const session = await open(() => Promise.reject(said));
    await expect(session.view()).rejects.toBe(said);
  });
});
