import { seededRandom } from "./seeded-random.mjs";

const WORDS =
  "const return import export function error warning expected received at line file test passed failed build module " +
  "src/server/routes.ts src/client/cache.ts 0x7f3a 200 404 1024 undefined null true session token window message";

/**
 * An endless coding session in the OpenAI chat shape: a system prompt, a user message every few steps, assistant
 * messages with one to four parallel calls, and outputs of 20 to 4,000 characters, short ones being the more frequent.
 */
export function* codingSession(seed = 1) {
  const random = seededRandom(seed);
  const between = (low, high) => low + Math.floor(random() * (high - low + 1));
  const words = WORDS.split(" ");
  const text = (length) => {
    let out = "";
    while (out.length < length) out += `${words[between(0, words.length - 1)]}${random() < 0.1 ? "\n" : " "}`;
    return out.slice(0, length);
  };
  yield { role: "system", content: `You are a coding agent.\n${text(2000)}` };
  for (let turn = 0, call = 0; ; turn++) {
    yield { role: "user", content: `Task ${turn}: ${text(between(40, 400))}` };
    for (let step = between(2, 12); step > 0; step--) {
      const calls = Array.from({ length: random() < 0.3 ? between(2, 4) : 1 }, () => ({
        id: `call_${call++}`,
        type: "function",
        function: {
          name: "read_file",
          arguments: JSON.stringify({ path: `src/file-${between(1, 200)}.ts`, from: call }),
        },
      }));
      yield { role: "assistant", content: random() < 0.5 ? text(between(20, 300)) : null, tool_calls: calls };
      for (const { id } of calls)
        yield { role: "tool", tool_call_id: id, content: text(Math.floor(20 * 200 ** random())) };
    }
    yield { role: "assistant", content: text(between(100, 600)) };
  }
}

/** Takes at least `size` messages and stops where the model would be asked next, so no batch of results is cut. */
export function takeMessages(session, size) {
  const messages = [];
  for (let open = 0; messages.length < size || open > 0; ) {
    const message = session.next().value;
    open += message.role === "tool" ? -1 : (message.tool_calls?.length ?? 0);
    messages.push(message);
  }
  return messages;
}

/** The next step of the agent: an assistant message with calls and their results, and what stands before it. */
export function takeStep(session) {
  const step = [];
  do step.push(...takeMessages(session, 1));
  while (step.at(-1).role !== "tool");
  return step;
}
