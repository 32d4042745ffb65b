// Long sessions on SQLite, each task in a process of its own, so that its heap and its time are nobody else's:
// node --expose-gc bench/support/long-session.mjs soak|fill|view|parse FILE [STEPS or ENTRIES]
import { monitorEventLoopDelay } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { fromOpenAI, openVarve } from "../../dist/index.js";
import { median } from "./measure.mjs";
import { workingAgent } from "./working-agent.mjs";

const OPTIONS = { window: 16_000, strategy: "hierarchical" };
const REQUEST = { system: "You are a careful engineer." };
/** Steps from one look at the heap to the next. */
const LOOK = 500;
const BATCH = 5_000;

function cpuMilliseconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function heapMegabytes() {
  await nextTurn();
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1e6;
}

/** An agent at work: the heap every few steps, and what a step costs at the beginning and at the end. */
async function soak(file, steps) {
  const varve = await openVarve({ store: `sqlite:${file}` });
  const session = await varve.session("bench", OPTIONS);
  const agent = workingAgent();
  const [heap, times] = [[], []];
  for (let step = 1; step <= steps; step++) {
    const fresh = fromOpenAI(agent.next().value);
    const start = cpuMilliseconds();
    await session.append(fresh);
    await session.view(REQUEST);
    times.push(cpuMilliseconds() - start);
    if (step % LOOK === 0) heap.push(await heapMegabytes());
  }
  await varve.close();
  const [early, late] = [times.slice(1_000, 2_000), times.slice(-1_000)];
  const mean = (list) => list.reduce((sum, each) => sum + each, 0) / list.length;
  return {
    heap: { early: heap[2_000 / LOOK - 1], most: Math.max(...heap.slice(4_000 / LOOK - 1)) },
    median: { early: median(early), late: median(late) },
    mean: { early: mean(early), late: mean(late) },
  };
}

async function fill(file, entries) {
  const varve = await openVarve({ store: `sqlite:${file}` });
  const session = await varve.session("bench", OPTIONS);
  const agent = workingAgent();
  for (let made = 0; made < entries; ) {
    const batch = [];
    while (batch.length < BATCH && made + batch.length < entries) batch.push(...fromOpenAI(agent.next().value));
    await session.append(batch);
    made += batch.length;
  }
  await varve.close();
}

/** A session that nobody has shown yet is opened and shown. */
async function view(file) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await sleep(20);
  const start = cpuMilliseconds();
  const varve = await openVarve({ store: `sqlite:${file}` });
  const session = await varve.session("bench", OPTIONS);
  await nextTurn();
  await session.view(REQUEST);
  const cpu = cpuMilliseconds() - start;
  await sleep(20);
  await varve.close();
  return { cpu, blocked: delay.max / 1e6 };
}

/** What somebody pays who reads all messages of the same file. */
function parse(file) {
  const [start, started] = [cpuMilliseconds(), performance.now()];
  const database = new DatabaseSync(file);
  for (const { message } of database.prepare("SELECT message FROM entries ORDER BY place").iterate())
    JSON.parse(message);
  database.close();
  return { cpu: cpuMilliseconds() - start, blocked: performance.now() - started };
}

const [task, file, size] = process.argv.slice(2);
const result = await { soak, fill, view, parse }[task](file, Number(size));
console.log(JSON.stringify(result ?? {}));
