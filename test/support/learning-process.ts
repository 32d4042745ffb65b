/**
 * Appends turns to the session "s", which becomes memories of ann's, until it is done or killed; it says on a line of its
 * own which turn was acknowledged.
 *
 * Parameters: the store's address, the number of the first turn, how many.
 */
import { writeSync } from "node:fs";
import { openVarve } from "../../src/session/open-varve.js";
import { says, user } from "./build.js";
import { LEARNER, letterEmbedder } from "./remembering.js";

const [address = "", from = "0", count = "0"] = process.argv.slice(2);

const varve = await openVarve({ store: address, embedder: letterEmbedder });
const session = await varve.session("s", LEARNER);
for (let turn = Number(from); turn < Number(from) + Number(count); turn++) {
  await session.append([user(`Fact ${turn}: the heron nests here`), says(`Noted as number ${turn}`)], {
    key: `${turn}`,
  });
  writeSync(1, `${turn}\n`);
  if (turn % 3 === 2) await session.view();
}
await varve.close();
