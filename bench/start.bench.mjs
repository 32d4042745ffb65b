// How long commands take from their start to their end, against a Node that does nothing.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fromOpenAI, openVarve } from "../dist/index.js";
import { codingSession, takeMessages } from "./support/coding-session.mjs";
import { timeInTurns } from "./support/measure.mjs";

export const name = "start";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const ENTRIES = 10_000;
const BATCH = 500;
const TURNS = 7;

/** A session as a program leaves it: views were made as it grew. */
async function fillStore(folder) {
  const varve = await openVarve({ store: `sqlite:${join(folder, "varve.db")}` });
  const session = await varve.session("bench", { window: 128_000, strategy: "sliding-window" });
  const messages = fromOpenAI(takeMessages(codingSession(), ENTRIES));
  for (let start = 0; start < messages.length; start += BATCH) {
    await session.append(messages.slice(start, start + BATCH));
    await session.view({ system: "You are a careful engineer." });
  }
  await session.append({ role: "user", content: "And now?" });
  await varve.close();
}

export async function run({ report }) {
  const folder = mkdtempSync(join(tmpdir(), "varve-start-"));
  try {
    await fillStore(folder);
    writeFileSync(join(folder, "varve.json"), '{ "store": "sqlite:./varve.db", "window": 128000 }');
    const node = (...parameters) => execFileSync(process.execPath, parameters, { cwd: folder, stdio: "ignore" });
    const [nothing, version, status] = await timeInTurns(TURNS, [
      () => node("-e", "0"),
      () => node(MAIN, "--version"),
      () => node(MAIN, "context", "status"),
    ]);
    const under = { name: "node -e 0", milliseconds: nothing };
    report({ figure: "start", over: { name: "varve --version", milliseconds: version }, under, atMost: 2.5 });
    const over = { name: "varve context status", milliseconds: status };
    report({ figure: "status of a session of 10,000 entries", over, under, atMost: 5 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
