/**
 * Does jobs of the kind "append": commits an entry under the job's id, says so, and then dawdles before the job is done,
 * as long as the job says.
 *
 * Parameters: the address of the database.
 */
import { writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { openVarve } from "../../src/session/open-varve.js";
import { postgresQueue } from "../../src/store/drivers/postgres-queue.js";

const [address = ""] = process.argv.slice(2);

const varve = await openVarve({ store: address });
const session = await varve.session("s", { window: 4_000 });
const queue = await postgresQueue({ url: address, sweepEvery: 500 });
await queue.work("append", async ({ id, payload, attempt }) => {
  const { text, dawdle } = payload as { readonly text: string; readonly dawdle: number };
  await session.append({ role: "user", content: text }, { key: id });
  writeSync(1, `${text} ${attempt}\n`);
  if (attempt === 1) await wait(dawdle);
});
writeSync(1, "ready\n");
