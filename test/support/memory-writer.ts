/**
 * Says something in a session and remembers it in two rows, again and again until it is done or killed; every third time
 * it forgets what it said before, in the session too. It says on a line of its own what was acknowledged.
 *
 * Parameters: the store's address, the session's id, the number of the first message, how many.
 */
import { writeSync } from "node:fs";
import { openStore } from "../../src/store/open-store.js";
import { entriesOf, mustCommit, TIME, user } from "../../src/testing/store-subject.js";
import { GONE, pairOf, SHARED, saidOf, writeBehind } from "./memory-writers.js";

const [address = "", session = "", from = "0", count = "0"] = process.argv.slice(2);

const store = await openStore(address);
const memories = store.memories!;
for (let number = Number(from); number < Number(from) + Number(count); number++) {
  await mustCommit(store, session, { entries: entriesOf([user(saidOf(session, number))], number) });
  await writeBehind(memories, { scope: SHARED, put: pairOf(session, number) });
  writeSync(1, `put ${number}\n`);
  if (number % 3 !== 2) continue;
  const forgotten = number - 1;
  const remove = pairOf(session, forgotten).map(({ id }) => id);
  const messages = new Map([[forgotten, JSON.stringify(user(GONE))]]);
  const change = { version: await store.version(session), time: TIME };
  await writeBehind(memories, { scope: SHARED, remove, redact: [{ session, messages, change }] });
  writeSync(1, `gone ${forgotten}\n`);
}
await store.close();
