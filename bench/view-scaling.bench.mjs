// How long a view takes as a conversation grows, against LangChain's trimMessages and against a plain safe window.
import { fromOpenAI, openVarve, toOpenAI } from "../dist/index.js";
import { codingSession, takeMessages, takeStep } from "./support/coding-session.mjs";
import { openLangChain } from "./support/langchain-trim.mjs";
import { median, time, timeInTurns } from "./support/measure.mjs";
import { safeTail } from "./support/safe-tail.mjs";
import { countMessage, createMemoisedCount } from "./support/token-count.mjs";

export const name = "view-scaling";

const WINDOW = 16_000;
const STEPS = 200;
/** Runs after which the code of all that follow is compiled. */
const WARM_UPS = 3;

async function openSession(messages) {
  const varve = await openVarve({ store: "memory" });
  const session = await varve.session("bench", { window: WINDOW, strategy: "sliding-window" });
  const next = async (fresh) => {
    await session.append(fromOpenAI(fresh));
    return toOpenAI((await session.view()).messages);
  };
  const first = await next(messages);
  return { next, first };
}

/** A ratio between programs that send nothing, or too much, would say nothing. */
function requireUseful(view, who) {
  const tokens = view.reduce((sum, message) => sum + countMessage(message), 0);
  if (tokens < WINDOW / 4 || tokens > WINDOW) throw new Error(`${who} sent ${tokens} tokens in a window of ${WINDOW}`);
}

/** Median time of a view after one more step, on a session that has had some before. */
async function warmVarve(size) {
  const recording = codingSession();
  const { next } = await openSession(takeMessages(recording, size));
  const times = [];
  for (let step = 0; step < STEPS; step++) {
    const fresh = takeStep(recording);
    times.push(await time(() => next(fresh)));
  }
  requireUseful(await next(takeStep(recording)), "varve");
  return median(times);
}

async function warmLangChain(size, steps) {
  const recording = codingSession();
  const count = createMemoisedCount();
  const langchain = openLangChain({ window: WINDOW, count });
  langchain.append(takeMessages(recording, size));
  await langchain.view();
  const times = [];
  for (let step = 0; step < steps; step++) {
    const fresh = takeStep(recording);
    fresh.forEach(count);
    times.push(
      await time(() => {
        langchain.append(fresh);
        return langchain.view();
      }),
    );
  }
  requireUseful(await langchain.view(), "LangChain");
  return median(times);
}

/** The first view of a long conversation: both count what they need, and neither knows a message yet. */
async function cold(size) {
  const messages = takeMessages(codingSession(), size);
  requireUseful((await openSession(messages)).first, "varve");
  requireUseful(safeTail(messages, { window: WINDOW, count: countMessage }), "the safe tail");
  return timeInTurns(7, [
    () => openSession(messages),
    () => safeTail(messages, { window: WINDOW, count: createMemoisedCount() }),
  ]);
}

export async function run({ report }) {
  for (let run = 0; run < WARM_UPS; run++) await warmVarve(1000);
  const small = await warmVarve(1000);
  const middle = await warmVarve(4000);
  const large = await warmVarve(64_000);
  report({
    figure: "warm view, 4,000 messages",
    over: { name: "LangChain trimMessages", milliseconds: await warmLangChain(4000, 15) },
    under: { name: "varve", milliseconds: middle },
    atLeast: 1000,
  });
  const [ours, theirs] = await cold(64_000);
  report({
    figure: "cold view, 64,000 messages",
    over: { name: "varve", milliseconds: ours },
    under: { name: "safe tail", milliseconds: theirs },
    atMost: 4,
  });
  report({
    figure: "warm view, 64,000 against 1,000 messages",
    over: { name: "varve at 64,000", milliseconds: large },
    under: { name: "varve at 1,000", milliseconds: small },
    atMost: 2,
  });
}
