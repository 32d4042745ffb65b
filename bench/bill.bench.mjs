// What an agent's requests cost with a prompt cache, against a tail that is cut to half its room and remembers nothing.
import { fromOpenAI, openVarve, toOpenAI } from "../dist/index.js";
import { simulatedAgent, systemOf, toolsOf } from "./support/simulated-agent.mjs";
import { count, countMessage, createMemoisedCount } from "./support/token-count.mjs";

export const name = "bill";

const WINDOW = 32_000;
const STEPS = 300;
const STRATEGIES = ["sliding-window", "summarization", "importance", "hierarchical"];
const STEP_TOKENS = [500, 1_200, 3_500];
const AT_MOST = 1.25;
/** Of the price of input: what is read from the cache, and what is written to it. */
const CACHED = 0.1;
const FRESH = 1.25;

const system = systemOf(2_000);
const tools = toolsOf(6_000);
const declared = count(JSON.stringify(tools));

/** Adds up requests, each with the longest start of it that the one before had too. */
function meter() {
  let [last, pricedTokens] = [[], 0];
  const add = (messages) => {
    const texts = messages.map((message) => JSON.stringify(message));
    let same = 0;
    while (same < texts.length && texts[same] === last[same]) same++;
    const isFirst = last.length === 0;
    const sum = (part) => part.reduce((tokens, message) => tokens + countMessage(message), 0);
    const [cached, fresh] = [sum(messages.slice(0, same)), sum(messages.slice(same))];
    pricedTokens += CACHED * cached + FRESH * fresh + (isFirst ? FRESH : CACHED) * declared;
    last = texts;
  };
  return { add, total: () => pricedTokens };
}

async function varveBill(strategy, tokens) {
  const varve = await openVarve({ store: "memory" });
  const session = await varve.session("bench", { window: WINDOW, strategy });
  const { add, total } = meter();
  const steps = simulatedAgent(tokens);
  for (let step = 0; step < STEPS; step++) {
    await session.append(fromOpenAI(steps.next().value));
    add(toOpenAI((await session.view({ system, tools })).messages));
  }
  await varve.close();
  return total();
}

/** Drops the oldest steps until half its room is left, whenever the request does not fit. */
function halfTailBill(tokens) {
  const countOnce = createMemoisedCount();
  const first = { role: "system", content: system };
  const room = WINDOW - declared - countMessage(first);
  const size = (groups) => groups.flat().reduce((sum, message) => sum + countOnce(message), 0);
  const { add, total } = meter();
  const steps = simulatedAgent(tokens);
  let kept = [];
  for (let step = 0; step < STEPS; step++) {
    kept.push(steps.next().value);
    if (size(kept) > room) while (size(kept) > room / 2) kept = kept.slice(1);
    add([first, ...kept.flat()]);
  }
  return total();
}

export async function run({ report }) {
  for (const tokens of STEP_TOKENS) {
    const under = { name: "half tail", pricedTokens: halfTailBill(tokens) };
    for (const strategy of STRATEGIES) {
      const over = { name: "varve", pricedTokens: await varveBill(strategy, tokens) };
      report({ figure: `${strategy}, ${tokens} tokens a step`, over, under, atMost: AT_MOST });
    }
  }
}
