import { seededRandom } from "./seeded-random.mjs";

const STEPS_A_TASK = 12;
const NOUNS =
  "order invoice session cache queue token retry payment route client window message user batch index".split(" ");
const VERBS = "load parse write merge check count fetch close split render update delete".split(" ");
const SAID =
  "the request fails when two of them arrive at once so the second one has to wait until its lock is free and then look again".split(
    " ",
  );
/** Lines of a result that name something new, as measured: 12 identifiers in 4,000 characters of recorded sessions. */
const NEW = 0.2;

/** What stands in results: source, a test run, a log and a listing. */
function linesOf(random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const number = (below) => Math.floor(random() * below);
  const words = (count) => Array.from({ length: count }, () => pick(SAID)).join(" ");
  const path = () => `src/${pick(NOUNS)}/${pick(VERBS)}-${random() < NEW ? `step-${number(1e6)}` : pick(NOUNS)}.ts`;
  const lines = [
    (at) =>
      `${String(at).padStart(4)}  export function ${pick(VERBS)}(${pick(NOUNS)}: string): number { // ${words(6)}`,
    () => ` ${random() < 0.9 ? "✓" : "✗"} ${path()} > ${words(7)}`,
    () =>
      `${random() < 0.8 ? "INFO" : "ERROR"} [${pick(NOUNS)}] ${words(10)}${random() < NEW ? ` id=${number(1e6)}` : ""}`,
    () => `${path()}: ${words(6)}`,
  ];
  return { path, words, pick, lines };
}

/** An agent at work: a request every few steps, a call, and its result of about 500 to 1,500 tokens. */
export function* workingAgent(seed = 1) {
  const random = seededRandom(seed);
  const { path, words, pick, lines } = linesOf(random);
  for (let step = 0; ; step++) {
    const messages = [];
    if (step % STEPS_A_TASK === 0)
      messages.push({ role: "user", content: `Please look at ${path()}: ${words(20)}, task ${step}.` });
    const id = `call_${step}`;
    const call = { name: pick(["read", "bash", "grep"]), arguments: JSON.stringify({ path: path(), from: step }) };
    messages.push({ role: "assistant", content: words(25), tool_calls: [{ id, type: "function", function: call }] });
    const line = pick(lines);
    const most = 2_200 + random() * 3_600;
    let text = "";
    for (let at = 1; text.length < most; at++) text += `${line(at)}\n`;
    messages.push({ role: "tool", tool_call_id: id, content: text });
    yield messages;
  }
}
