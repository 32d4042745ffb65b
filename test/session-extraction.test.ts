import { expect, test } from "vitest";
import type { VarveError } from "../src/errors.js";
import { openaiCompatible } from "../src/model/openai-compatible.js";
import { says, user } from "./support/build.js";
import { startModelServer } from "./support/model-server.js";
import { remembering } from "./support/remembering.js";

const scope = { user: "ann" };
const home = {
  passage: 1,
  quote: "we packed up and Lyon is home now",
  kind: "fact",
  subject: "speaker",
  attribute: "home city",
  value: "Lyon",
  single: true,
  changed: true,
};

test("a model adds facts to what a turn has become, and ends those that no longer hold", async () => {
  const server = await startModelServer([{ text: JSON.stringify({ facts: [home] }) }]);
  const memoryModel = openaiCompatible({ baseURL: `${server.url}/v1`, model: "m", timeout: 5_000 });
  const varve = await remembering({ memoryModel });
  const memory = varve.memory({ scope });
  await memory.store("I live in Paris.", { id: "paris", speaker: "user", at: "2020-01-01" });
  const session = await varve.session("s", { window: 4_000, memory: { scope } });
  await session.append([
    user("Big news: we packed up and Lyon is home now. My token is ghp_0123456789abcdefghijABCDEFGHIJ012345"),
    says("That is great news for you!"),
  ]);
  await session.flush();
  expect(await memory.get("s:0")).toMatchObject({
    facts: expect.arrayContaining([expect.objectContaining({ slot: "user/home city", value: "Lyon" })]),
  });
  expect((await memory.get("paris"))?.validUntil).toBeDefined();
  expect(session.context().facts).toContain(home.quote);
  expect(session.context().facts).not.toContain("I live in Paris.");
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]!.prompt).not.toContain("ghp_");
  expect((await memory.retrieve("home city")).map(({ id }) => id)).toContain("s:0");
  await varve.close();
  await server.close();
});

test("a model that fails leaves what the rules found, and a warning", async () => {
  const server = await startModelServer(() => ({ status: 500 }));
  const warnings: VarveError[] = [];
  const options = { baseURL: `${server.url}/v1`, model: "m", timeout: 5_000, retries: 0 };
  const onWarning = (warning: VarveError) => warnings.push(warning);
  const varve = await remembering({ memoryModel: openaiCompatible(options), onWarning });
  const session = await varve.session("s", { window: 4_000, memory: { scope } });
  await session.append([user("I live in Paris."), says("That is a lovely place to be.")]);
  await session.flush();
  expect(session.context().facts).toEqual(["I live in Paris."]);
  expect(warnings.map(({ code }) => code)).toEqual(["model-failed"]);
  await varve.close();
  await server.close();
});
