/**
 * Stores notes through `varve.memory`, one by one, as a program does.
 *
 * Parameters: the store's address, the name that its notes begin with, how many.
 */
import { openVarve } from "../../src/session/open-varve.js";

const [address = "", name = "", count = "0"] = process.argv.slice(2);

const varve = await openVarve({ store: address });
const memory = varve.memory({ scope: { user: "ann" } });
for (let number = 0; number < Number(count); number++) {
  await memory.store(`${name} wrote note number ${number}`);
  await memory.store("Everybody writes this one");
}
await varve.close();
