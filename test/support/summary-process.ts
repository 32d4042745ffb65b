/**
 * A process with the means to write summaries, by a model on loopback. It does what is in the queue of its store; "ask"
 * makes it append so much to the session "s" that a summary is due, "help" makes it look often for what others left.
 *
 * Parameters: the store's address, the model's address, "ask" or "help".
 */
import { writeSync } from "node:fs";
import { openaiCompatible } from "../../src/model/openai-compatible.js";
import { modelSummariser } from "../../src/notes/model-summariser.js";
import { openVarve } from "../../src/session/open-varve.js";
import { postgresStore } from "../../src/store/drivers/postgres.js";
import { postgresQueue } from "../../src/store/drivers/postgres-queue.js";
import { summarization } from "../../src/view/strategies/summarization.js";
import { says, user, words } from "./build.js";

const [address = "", modelAddress = "", part = ""] = process.argv.slice(2);

const model = openaiCompatible({ baseURL: `${modelAddress}/v1`, model: "small", timeout: 60_000, retries: 0 });
const helper = async () => {
  const queue = () => postgresQueue({ url: address, sweepEvery: 500 });
  return Object.assign(await postgresStore({ url: address }), { queue });
};
const store = part === "ask" ? address : await helper();
const varve = await openVarve({ store, summariser: modelSummariser(model, { window: 20_000 }) });
if (part === "ask") {
  const session = await varve.session("s", { window: 20_000, strategy: summarization({ after: { turns: 4 } }) });
  for (let turn = 0; turn < 5; turn++) await session.append([user(`question ${turn}`), says(words(20))]);
}
writeSync(1, "ready\n");
