import { seededRandom } from "./seeded-random.mjs";
import { count, countMessage } from "./token-count.mjs";

const WORDS =
  "const return import export function error warning expected received at line file test passed failed build module " +
  "server routes client cache undefined null true session token window message retry timeout payment invoice queue";
const STEPS_A_TASK = 25;

/** The words of a text in which nothing repeats for long, so many tokens of it. */
function textOf(random, tokens) {
  const words = WORDS.split(" ");
  let [text, left] = ["", tokens];
  while (left > 0) {
    const word =
      random() < 0.2 ? ` ${Math.floor(random() * 10_000)}` : ` ${words[Math.floor(random() * words.length)]}`;
    text += random() < 0.1 ? `${word}\n` : word;
    left -= count(word);
  }
  return text;
}

export const systemOf = (tokens) => `You are a coding agent.\n${textOf(seededRandom(7), tokens)}`;

export function toolsOf(tokens) {
  const description = `Reads a file.\n${textOf(seededRandom(8), tokens)}`;
  const inputSchema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  return [{ name: "read", description, inputSchema }];
}

/** An agent that reads one file a step, its results of about so many tokens, with a new task every few steps. */
export function* simulatedAgent(tokens, seed = 1) {
  const random = seededRandom(seed);
  for (let step = 0; ; step++) {
    const messages = [];
    if (step % STEPS_A_TASK === 0) messages.push({ role: "user", content: `Task ${step}:${textOf(random, 60)}` });
    const id = `call_${step}`;
    const call = { name: "read", arguments: JSON.stringify({ path: `src/file-${step}.ts` }) };
    messages.push({
      role: "assistant",
      content: textOf(random, 30),
      tool_calls: [{ id, type: "function", function: call }],
    });
    const spent = messages.reduce((sum, message) => sum + countMessage(message), 0);
    const size = Math.floor(tokens * (0.6 + 0.8 * random())) - spent;
    messages.push({ role: "tool", tool_call_id: id, content: textOf(random, Math.max(20, size)) });
    yield messages;
  }
}
