/**
 * Imports again and again, each time over the session "s" and under a new id, until it is done or killed, and says on a
 * line of its own what was acknowledged.
 *
 * Parameters: the store's address, the number of the first import, how many.
 */
import { writeSync } from "node:fs";
import { openVarve } from "../../src/session/open-varve.js";
import { APPENDS, user, words } from "./build.js";

const [address = "", from = "0", count = "0"] = process.argv.slice(2);

/** The export of a session whose every message holds the number. */
async function exported(id: string, number: number): Promise<string[]> {
  const varve = await openVarve();
  const session = await varve.session(id, { window: 4_000 });
  for (let at = 0; at < APPENDS; at++)
    await session.append([user(`${number}:${at}`), user(`${number}:${words(500)}`)], { key: `${at}` });
  session.track({ facts: [`${number}`] });
  const lines: string[] = [];
  for await (const line of varve.export()) lines.push(line);
  return lines;
}

const varve = await openVarve({ store: address });
for (let number = Number(from); number < Number(from) + Number(count); number++) {
  await varve.import(await exported("s", number), { existing: "replace" });
  await varve.import(await exported(`new-${number}`, number));
  writeSync(1, `${number}\n`);
}
await varve.close();
