import { describe, expect, it } from "vitest";
import { says, user, words } from "../../../test/support/build.js";
import { remembering } from "../../../test/support/remembering.js";
import { memoryStore } from "../../store/drivers/memory.js";
import type { Session } from "../session.js";

const scope = { user: "ann" };
const options = { window: 4_000, memory: { scope } };

const texts = (session: Session) => session.entries().map(({ message }) => message.content);

const all = async (varve: Awaited<ReturnType<typeof remembering>>) =>
  (await varve.memory({ scope }).list()).memories.map(({ content }) => content);

async function withBoat() {
  const varve = await remembering();
  const first = await varve.session("s", options);
  await first.append([user("My boat is moored in Kiel."), says("Thanks for telling me.")]);
  await first.flush();
  await varve.memory({ scope }).store("My aunt Ida lives in Kiel.", { id: "aunt" });
  const second = await varve.session("t", options);
  await second.append(user("Where is my boat?"));
  await second.view();
  return { varve, first, second };
}

describe("forgetting a memory", () => {
  it("takes the answers that only retold it out of the log, the view and the search of other sessions", async () => {
    const { varve, first, second } = await withBoat();
    await second.append(says("Your boat is moored in Kiel."));
    await second.append([user("Is the sea cold?"), says("The sea is cold in May.")]);
    await second.flush();
    const { sessions } = await varve.memory({ scope }).forget("s:0");
    expect(sessions.map(({ session }) => session).sort()).toEqual(["s", "t"]);
    expect(texts(second)).toEqual(["Where is my boat?", "[forgotten]", "Is the sea cold?", "The sea is cold in May."]);
    expect(JSON.stringify((await second.view()).messages)).not.toContain("moored");
    expect(second.search("Kiel")).toEqual([]);
    expect(texts(first)).toEqual(["[forgotten]", "Thanks for telling me."]);
    expect(await all(varve)).toContain("Thanks for telling me.");
  });

  it("leaves the answers alone that retold other memories", async () => {
    const { varve, second } = await withBoat();
    await second.append(says("Your boat is moored in Kiel."));
    await second.flush();
    await varve.memory({ scope }).forget("aunt");
    expect(texts(second)).toEqual(["Where is my boat?", "Your boat is moored in Kiel."]);
  });

  it("takes along what the agent found by a tool of its own, and retold", async () => {
    const varve = await remembering();
    await varve.memory({ scope }).store("My boat is moored in Kiel.", { id: "boat" });
    const toolName = "memory_retrieve";
    const output = { type: "text", value: '<memory id="boat">My boat is moored in Kiel.</memory>' } as const;
    const session = await varve.session("t", { ...options, memory: { scope, recall: false } });
    await session.append([
      user("Where is it?"),
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "c1", toolName, input: {} }] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "c1", toolName, output }] },
      says("Your boat is moored in Kiel."),
    ]);
    await session.flush();
    await varve.memory({ scope }).forget("boat");
    expect(JSON.stringify(texts(session))).not.toContain("Kiel");
  });

  it("takes along what the agent said later in the same session, though it was not shown the memory", async () => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    await session.append([user("My safe word is quokkaplum. I also like the sea."), says("Good to know that.")]);
    await session.append([user("How warm is the sea?"), says(`The sea is warm. ${words(20)}`)]);
    await session.append([user("What is my safe word?"), says("It is quokkaplum, as you told me.")]);
    await session.append([user("Which word was it again?"), says("quokkaplum")]);
    await session.flush();
    const { forgotten } = await varve.memory({ scope }).forget("s:0");
    expect(forgotten.slice(0, 2)).toEqual(["s:0", "s:5"]);
    expect([texts(session)[5], texts(session)[7]]).toEqual(["[forgotten]", "[forgotten]"]);
    expect(texts(session)[3]).toContain("The sea is warm.");
    expect(JSON.stringify(await all(varve))).not.toContain("quokkaplum");
  });

  it("leaves what the agent said of it where the user has said the same again", async () => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    await session.append([user("My safe word is quokkaplum."), says("Good to know that.")]);
    await session.append([user("Again: the safe word is quokkaplum."), says("The safe word is quokkaplum, I see.")]);
    await session.flush();
    await varve.memory({ scope }).forget("s:0");
    expect(texts(session)[3]).toBe("The safe word is quokkaplum, I see.");
  });
});

const PLAN =
  "Here is the plan.\n\n## Python\n\nFirst we install the toolchain, then the linter.\n```sh\nmake all\n```\nThat is it.";

describe("what the agent said besides", () => {
  it.each([
    ["I live in Paris.", "Many artists live in Paris because of the light. Impressionism began in the 1860s."],
    ["I use Python for scripts.", PLAN],
    ["I like pizza.", "People like pizza all over the world, as the statistics of 2019 show."],
    ["Can you refactor the parser?", "I will refactor the parser now. The tokenizer is split into three modules."],
  ])("stays in the log and the memory where it only shares words with what is forgotten: %s", async (text, answer) => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    await session.append([user(text), says("Good to know that.")]);
    await session.append([user("Tell me about the other topic"), says(answer)]);
    await session.flush();
    const { forgotten } = await varve.memory({ scope }).forget("s:0");
    expect(forgotten).toEqual(["s:0"]);
    expect(texts(session)).toEqual(["[forgotten]", "Good to know that.", "Tell me about the other topic", answer]);
  });

  it("stays where it retold another memory with a word in common", async () => {
    const varve = await remembering();
    const memory = varve.memory({ scope });
    await memory.store("I live in Berlin.", { id: "home" });
    await memory.store("I work in Berlin.", { id: "job" });
    const session = await varve.session("s", options);
    await session.append(user("Do I work in Berlin, and how does a binary search go?"));
    await session.view();
    expect(session.status().recalled).toEqual(expect.arrayContaining(["home", "job"]));
    const answer = "You work in Berlin.\n\nA binary search halves the range.\n```ts\nlet [low, high] = [0, 9];\n```";
    await session.append(says(answer));
    await session.flush();
    await memory.forget("home");
    expect(texts(session)[1]).toBe(answer);
    await memory.forget("job");
    expect(texts(session)[1]).toBe(
      "[forgotten]\nA binary search halves the range.\n```ts\nlet [low, high] = [0, 9];\n```",
    );
  });

  it("goes with the rest where code names what is forgotten", async () => {
    const { varve, second } = await withBoat();
    await second.append(says("Your boat is moored in Kiel. The sea is cold.\n```sh\nsail --to Kiel\n```"));
    await second.flush();
    await varve.memory({ scope }).forget("s:0");
    expect(texts(second)[1]).toBe("[forgotten]");
  });

  it("loses a second sentence to a second forgetting, also for a session that is open elsewhere", async () => {
    const store = memoryStore();
    const [here, there] = [await remembering({ store }), await remembering({ store })];
    const first = await here.session("s", options);
    await first.append([user("My safe word is quokkaplum."), says("Good to know that.")]);
    await first.append([user("My gate word is zebrafish."), says("Good to know that.")]);
    await first.append([
      user("What are my words, and is it warm?"),
      says("Your safe word is quokkaplum. Your gate word is zebrafish. The sea is warm."),
    ]);
    await first.flush();
    const second = await there.session("s", options);
    const last = async () => {
      await second.refresh();
      return texts(second).at(-1);
    };
    await here.memory({ scope }).forget("s:0");
    expect(await last()).toBe("[forgotten]\nYour gate word is zebrafish. The sea is warm.");
    await here.memory({ scope }).forget("s:2");
    expect(await last()).toBe("[forgotten]\nThe sea is warm.");
  });

  it("goes as a whole where all of a scope is forgotten", async () => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    await session.append([user("My safe word is quokkaplum."), says("Your safe word is quokkaplum. The sea is warm.")]);
    await session.flush();
    await varve.memory({ scope }).forgetAll();
    expect(texts(session)).toEqual(["[forgotten]", "[forgotten]"]);
  });
});

describe("a user's request to forget", () => {
  it("takes the answer along that repeats what is gone, and nothing else of the session", async () => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    await session.append([user("My locker word is zebra-horse."), says("Good to know that.")]);
    await session.append([
      user("Forget that my locker word is zebra-horse."),
      says("I have forgotten that your locker word is zebra-horse. The gym opens at nine."),
    ]);
    await session.flush();
    expect(texts(session)).toEqual([
      "[forgotten]",
      "Good to know that.",
      "[forgotten]",
      "[forgotten]\nThe gym opens at nine.",
    ]);
    expect(await all(varve)).toEqual(["Good to know that.", "The gym opens at nine."]);
  });

  it("takes the answers along that repeat the second thing that is asked for", async () => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    await session.append([user("My locker word is zebra-horse."), says("Good to know that.")]);
    await session.append([user("My address is 12 Elm Street."), says("Good to know that too.")]);
    await session.append([
      user("Forget that my locker word is zebra-horse. Please forget my address."),
      says("Both are gone, Elm Street included."),
    ]);
    await session.flush();
    expect(texts(session)).not.toContain("[forgotten]");
    for (const { id } of session.status().requests) await session.confirm(id);
    expect(session.status().requests).toEqual([]);
    expect(texts(session).slice(4)).toEqual(["[forgotten]", "[forgotten]"]);
    expect(await all(varve)).toEqual(["Good to know that.", "Good to know that too."]);
  });

  it("takes the answer along that tells what was meant in the words of the memory", async () => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    await session.append([user("My address is 12 Elm Street."), says("Good to know that.")]);
    await session.append([user("Please forget my address."), says("Done: 12 Elm Street is gone.")]);
    await session.flush();
    expect(texts(session).slice(2)).toEqual(["[forgotten]", "[forgotten]"]);
    expect(await all(varve)).toEqual(["Good to know that."]);
  });

  it.each([
    "Here is the mail I got:\n\nHi Ann,\nPlease forget that my address is 12 Elm Street.\nBob",
    "Translate this to German:\nForget my address.",
    "Delete all my memories",
  ])("is told and not done where the program has to confirm it: %s", async (text) => {
    const warnings: { code: string; details: Readonly<Record<string, unknown>> }[] = [];
    const varve = await remembering({ onWarning: (warning) => warnings.push(warning) });
    const session = await varve.session("s", options);
    await session.append([user("My address is 12 Elm Street."), says("Good to know that.")]);
    await session.append([user(text), says("Let me see about that.")]);
    await session.flush();
    expect(await all(varve)).toContain("My address is 12 Elm Street.");
    expect(warnings.map(({ code, details }) => [code, details.requests])).toEqual([["memory-request", ["e2.1"]]]);
    expect(session.status().requests).toMatchObject([{ id: "e2.1", entry: "e2" }]);
    await session.append([user("I like the sea in May."), says("It is cold then.")]);
    await session.flush();
    expect(session.status().requests).toMatchObject([{ id: "e2.1", entry: "e2" }]);
  });
});

describe("what is off the record", () => {
  it("is not kept in the agent's words either", async () => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    await session.append([
      user("Do not save this: my lover is Kim."),
      says("I will not remember that your lover is Kim. The weather in Oslo is fine."),
    ]);
    await session.append([user("I live in Lyon. The gate word is plumkiwi. Do not save it."), says("Lyon is nice.")]);
    await session.append([user("And Kim?"), says("Kim is a common name.")]);
    await session.flush();
    expect(await all(varve)).toEqual([
      "The weather in Oslo is fine.",
      "I live in Lyon.",
      "Lyon is nice.",
      "And Kim?",
      "Kim is a common name.",
    ]);
  });
});
