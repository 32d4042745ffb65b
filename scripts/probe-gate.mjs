// How many of the facts that answer questions about a recording are still in the view at a share of its tokens:
// node scripts/probe-gate.mjs FOLDER (of *.jsonl.gz; only conversations with `probes` are looked at). Fails below the gates.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createTokenCounter, fromOpenAI, openVarve, toOpenAI } from "../dist/index.js";

const STRATEGY = "hierarchical";
/** Share of the recording's tokens, and of the facts that must be there. */
const GATES = [
  [0.25, 0.9],
  [0.1, 0.8],
];

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node scripts/probe-gate.mjs FOLDER");
  process.exit(2);
}

const counter = createTokenCounter();
const conversations = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl.gz"))
  .sort()
  .flatMap((name) =>
    gunzipSync(readFileSync(join(folder, name)))
      .toString("utf8")
      .split("\n")
      .filter(Boolean),
  )
  .map((line) => JSON.parse(line))
  .filter(({ probes }) => probes?.length > 0);

async function lastView(messages, window) {
  const session = await (await openVarve()).session("probed", { window, strategy: STRATEGY });
  for (const message of messages) {
    await session.append(fromOpenAI([message]));
    if (message.role !== "assistant") await session.view();
  }
  return toOpenAI((await session.view()).messages);
}

const textOf = (message) =>
  [message.content ?? "", ...(message.tool_calls ?? []).map((call) => call.function.arguments)].join("\n");

async function shareOfFacts(share) {
  let held = 0;
  let all = 0;
  for (const { messages, probes } of conversations) {
    const tokens = fromOpenAI(messages).reduce((sum, message) => sum + counter.message(message), 0);
    const view = (await lastView(messages, Math.floor(tokens * share))).map(textOf).join("\n").toLowerCase();
    const facts = probes.flatMap(({ facts_verbatim_in_fixture: verbatim }) => verbatim);
    held += facts.filter((fact) => view.includes(fact.toLowerCase())).length;
    all += facts.length;
  }
  return { held, all };
}

let failed = conversations.length === 0;
if (failed) console.error(`No conversation with probes in ${folder}.`);
for (const [share, least] of GATES) {
  const { held, all } = await shareOfFacts(share);
  const ok = held / all >= least;
  failed ||= !ok;
  console.log(
    `${ok ? "ok  " : "FAIL"} probes at ${share * 100} %: ${held} of ${all} facts (${(held / all).toFixed(3)} >= ${least})`,
  );
}
process.exit(failed ? 1 : 0);
