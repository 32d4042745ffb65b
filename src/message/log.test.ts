import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { calls, result, says, system, user } from "../../test/support/build.js";
import { entryOf, letGo } from "./entry.js";
import { Log, logOf } from "./log.js";
import { packMessage } from "./packed-message.js";
import type { Message } from "./types.js";
import { messageFromJSON, messageToJSON } from "./value-json.js";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** A log whose messages are all in a store, and have been let go of. */
async function storedLog(messages: readonly Message[]): Promise<Log> {
  const texts = messages.map(messageToJSON);
  const log = new Log();
  const batch = { first: 0, after: -1, time: 0 };
  log.append(messages.map((message, at) => entryOf(packMessage(message, at), at, batch)));
  expect(log.exchanges.length).toBeGreaterThan(0);
  for (const entry of log.entries) letGo(entry, { messageOf: (at) => messageFromJSON(texts[at]!) });
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  return log;
}

const stray: Message = {
  role: "assistant",
  content: [
    { type: "text", text: "Found." },
    {
      type: "custom",
      kind: "anthropic.web_search_tool_result",
      providerOptions: { varve: { anthropic: { value: { type: "web_search_tool_result", tool_use_id: "nobody" } } } },
    },
  ],
};
const REPAIRED: readonly Message[] = [user("go"), calls("a", "a"), result("a"), stray, calls("b"), says("done")];

test("a log whose messages were let go of is repaired like one that holds them", async () => {
  const [held, stored] = [logOf(REPAIRED), await storedLog(REPAIRED)];
  const legal = (log: Log) => log.exchanges.map((exchange) => log.legal(exchange));
  expect(legal(stored)).toEqual(legal(held));
  expect(JSON.stringify(legal(held))).not.toContain("nobody");
});

test("keeps the legal messages of what is shown, and makes those of the rest anew", () => {
  const log = logOf(REPAIRED);
  const [first, second] = log.exchanges.map((exchange) => log.legal(exchange));
  log.keepLegal([log.exchanges[1]!.first]);
  expect(log.legal(log.exchanges[1]!)).toBe(second);
  expect(log.legal(log.exchanges[0]!)).not.toBe(first);
  expect(log.legal(log.exchanges[0]!)).toEqual(first);
});

test("counts a system message that comes while nobody has spoken to the start, though exchanges were asked for before", () => {
  const { entries } = logOf([system("A"), system("B"), user("Hi."), says("Hello.")]);
  const log = logOf([]);
  for (const entry of entries) {
    log.push(entry);
    log.visibleBefore(log.entries.length);
  }
  expect([log.start, log.exchanges.map(({ first }) => first)]).toEqual([2, [2, 3]]);
});
