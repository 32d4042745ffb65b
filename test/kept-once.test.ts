import { expect, it } from "vitest";
import { importance, openVarve } from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { says, user, words } from "./support/build.js";

it("shows what is kept for its weight once, when a pin brings it to the front in place of another", async () => {
  const strategy = importance({ threshold: 0, keptShare: 0.4 });
  const session = await (await openVarve()).session("s", { window: 2_000, strategy });
  for (let at = 0; at < 60; at++)
    await session.append([user(`request ${at} of src/file${at % 7}.ts`), says(words(30))]);
  const [first] = session.entries();
  session.pin(first!.id);
  await session.compact();
  const shown = (await session.view()).messages;
  const isKept = (id: number) => shown.includes(session.entries()[id]!.message);
  const kept = session
    .entries()
    .findIndex((_, at) => at > 1 && at < 80 && isKept(at) && session.entries()[at]!.role === "user");
  expect(kept).toBeGreaterThan(0);
  session.unpin(first!.id);
  session.pin(session.entries()[kept]!.id);
  const texts = (await session.view()).messages.map(messageText);
  expect(texts.filter((text) => text === messageText(session.entries()[kept]!.message))).toHaveLength(1);
});
