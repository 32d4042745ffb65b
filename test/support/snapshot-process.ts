/**
 * An agent whose sessions live in memory and in snapshots. It says "ready" when it has talked for a while and waits to be
 * killed; started again it says what it recalls, as one line of JSON.
 *
 * Parameters: the folder of the snapshots, and "talk" or "recall".
 */
import { openVarve } from "../../src/session/open-varve.js";
import { conversation } from "./conversation.js";

const [folder = "", mode = "talk"] = process.argv.slice(2);
const options = { window: 4_000, strategy: "hierarchical" };

const varve = await openVarve({ store: "memory", snapshots: { folder, every: 4, key: "secret" } });
const session = await varve.session("user:agent:1", options);
if (mode === "talk") {
  for (let turn = 0; turn < 30; turn++) {
    await session.append(conversation(1, { from: turn }));
    await session.view();
  }
  console.log("ready");
  setInterval(() => undefined, 1_000);
} else {
  const { messages } = await session.view();
  console.log(JSON.stringify({ recalled: session.recalled, entries: session.entries().length, messages }));
}
