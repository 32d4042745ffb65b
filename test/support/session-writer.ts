/**
 * Appends to one session until it is done or killed, three messages at a time, and says on a line of its own what was
 * acknowledged. The window is small, so that there is always something to compact.
 *
 * Parameters: the store's address, the session's id, the writer's name, the number of the first message, how many.
 */
import { writeSync } from "node:fs";
import { openVarve } from "../../src/session/open-varve.js";
import { calls, result, user, words } from "./build.js";

const [address = "", sessionId = "", writer = "", from = "0", count = "0"] = process.argv.slice(2);

const varve = await openVarve({ store: address });
const session = await varve.session(sessionId, { window: 4_000, strategy: "hierarchical" });
for (let number = Number(from); number < Number(from) + Number(count); number++) {
  const name = `${writer}:${number}`;
  await session.append([user(name), calls(name), result(name, words(200, "line"))], { key: name });
  writeSync(1, `${number}\n`);
  if (number % 5 === 4) await session.view();
}
await varve.close();
