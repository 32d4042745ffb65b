import { seededRandom } from "./seeded-random.mjs";
import { count } from "./token-count.mjs";

const AREAS =
  "billing cache session upload search report export mailer queue auth profile invoice webhook catalog ledger".split(
    " ",
  );
const VERBS = "load parse merge render flush resolve verify collect dispatch normalise retry encode trim attach".split(
  " ",
);
const NOUNS = "Order Token Batch Cursor Filter Header Lease Window Record Quota Bucket Ticket Draft Cart Payload".split(
  " ",
);
const TYPES = "string number boolean Buffer Date URL string[] Promise<void> unknown".split(" ");
const REASONS = [
  "the second request waits until the first has let go of its lock",
  "older rows have no such column and come back empty",
  "the clock of the container runs a few seconds late",
  "an empty body is legal here and means that nothing has changed",
  "both names are in use until the old clients are gone",
  "the upstream sends this header twice on a redirect",
  "it is called again for each page, so it has to be cheap",
  "a retry would book the same amount again",
];
const THOUGHTS = [
  "Let me look at how it is called.",
  "The lines around it should tell where the value comes from.",
  "That explains the second failure, but not the first.",
  "I'll check whether anything else depends on this.",
  "This is the place; now the change itself.",
  "Running the tests of that folder again.",
  "Next the configuration, to be sure that both sides agree.",
];

/** Words and numbers of a made-up code base, all from one source of chance. */
function vocabulary(random) {
  const number = (below) => Math.floor(random() * below);
  const pick = (list) => list[number(list.length)];
  const symbol = () => `${pick(VERBS)}${pick(NOUNS)}${random() < 0.4 ? pick(NOUNS) : ""}`;
  const hex = (length) => Array.from({ length }, () => number(16).toString(16)).join("");
  const ending = pick(["ts", "ts", "py", "go", "rb", "tsx"]);
  const path = () =>
    `${pick(["src", "lib", "app", "internal"])}/${pick(AREAS)}/${pick(VERBS)}-${pick(NOUNS).toLowerCase()}.${ending}`;
  return { number, pick, symbol, hex, path, chance: (share) => random() < share };
}

const KINDS = [read, grep, test, edit, list, history, config, log];

function read({ number, pick, symbol, path, chance }) {
  const at = { line: 1 + number(300) };
  return {
    name: "read_file",
    input: { path: path(), offset: at.line },
    line: () => {
      const text = chance(0.2)
        ? `  // ${pick(REASONS)}`
        : pick([
            () => `export function ${symbol()}(${symbol()}: ${pick(TYPES)}): ${pick(TYPES)} {`,
            () => `  const ${symbol()} = await ${symbol()}(${symbol()}, ${number(5000)});`,
            () => `  if (${symbol()}.length > ${number(64)}) return ${symbol()}(${symbol()});`,
            () => `  throw new ${pick(NOUNS)}Error("${pick(AREAS)} ${pick(VERBS)} failed", { cause });`,
            () => "  }",
            () => "",
          ])();
      return `${String(at.line++).padStart(5)}\t${text}`;
    },
  };
}

function grep({ number, symbol, path, pick }) {
  const wanted = symbol();
  return {
    name: "grep",
    input: { pattern: wanted, path: "." },
    line: () =>
      `${path()}:${1 + number(900)}: ${pick(["await ", "return ", "const found = ", ""])}${wanted}(${symbol()})`,
  };
}

function test({ number, pick, symbol, path, chance }) {
  const folder = pick(AREAS);
  return {
    name: "bash",
    input: { command: `npx vitest run test/${folder}` },
    line: () =>
      chance(0.85)
        ? ` ✓ ${path()} > ${pick(VERBS)}s ${pick(REASONS)} ${number(400)}ms`
        : ` × ${path()} > ${symbol()}\n   AssertionError: expected ${number(90)} to be ${number(90)}`,
    last: () => `\n Tests  ${number(3)} failed | ${20 + number(200)} passed (${220 + number(90)})`,
  };
}

function edit({ number, symbol, path }) {
  const file = path();
  const [before, after] = [`${symbol()}(${number(90)})`, `${symbol()}(${number(90)})`];
  let at = 10 + number(200);
  return {
    name: "edit_file",
    input: { path: file, old: `return ${before};`, new: `return ${after};` },
    first: `The file ${file} has been updated. Lines around the change:`,
    line: () => `${String(at++).padStart(5)}\t  ${symbol()}(${symbol()}, "${symbol()}");`,
  };
}

function list({ number, path, pick }) {
  return {
    name: "bash",
    input: { command: `ls -lR ${pick(AREAS)}` },
    line: () =>
      `-rw-r--r--  1 dev  staff  ${number(90_000)} ${pick(["Mar", "Apr", "May"])} ${1 + number(28)} ${path()}`,
  };
}

function history({ hex, pick, symbol, number }) {
  return {
    name: "bash",
    input: { command: `git log --oneline -${20 + number(40)}` },
    line: () =>
      `${hex(7)} ${pick(["Mend", "Move", "Split", "Rename", "Speed up"])} ${symbol()} in ${pick(AREAS)} (#${number(4000)})`,
  };
}

function config({ number, pick, symbol, hex }) {
  const file = `config/${pick(AREAS)}.yaml`;
  return {
    name: "read_file",
    input: { path: file },
    line: () =>
      pick([
        () => `${symbol()}: ${number(9000)}`,
        () => `  ${pick(AREAS)}_url: https://${pick(AREAS)}.internal:${3000 + number(6000)}/v${1 + number(4)}`,
        () => `  digest: sha256:${hex(24)}`,
        () => `  # ${pick(REASONS)}`,
      ])(),
  };
}

function log({ number, pick, symbol, hex }) {
  let seconds = number(80_000);
  const clock = () => {
    seconds += number(40);
    return new Date(seconds * 1000).toISOString().slice(11, 23);
  };
  return {
    name: "bash",
    input: { command: `tail -n 60 log/${pick(AREAS)}.log` },
    line: () =>
      `${clock()} ${pick(["INFO", "INFO", "WARN", "ERROR"])} [${pick(AREAS)}] ${symbol()} took ${number(900)} ms request=${hex(8)} ${pick(REASONS)}`,
  };
}

function resultOf({ first, line, last }, tokens) {
  const lines = first === undefined ? [] : [first];
  for (let left = tokens; left > 0; ) {
    lines.push(line());
    left -= count(lines.at(-1)) + 1;
  }
  if (last !== undefined) lines.push(last());
  return lines.join("\n");
}

/**
 * So many turns of an agent's work, in the OpenAI chat shape: each is a call and its result of 100 to 600 tokens; some
 * begin with a short message of the user, and the agent says that it is done before the next of those.
 */
export function toolTurns(turns, { seed = 1, remarks = [], every = 5 } = {}) {
  const random = seededRandom(seed);
  const words = vocabulary(random);
  return Array.from({ length: turns }, (_, turn) => {
    const messages = [];
    if (remarks.length > 0 && turn > 0 && turn % every === 0) {
      messages.push({ role: "assistant", content: `${words.symbol()} in ${words.path()} is changed; its tests pass.` });
      const remark = remarks[(turn / every - 1) % remarks.length];
      messages.push({ role: "user", content: words.chance(0.5) ? `${remark} ${words.path()}` : remark });
    }
    const kind = words.pick(KINDS)(words);
    const id = `call_${seed}_${turn}`;
    const called = { name: kind.name, arguments: JSON.stringify(kind.input) };
    const content = words.chance(0.5) ? words.pick(THOUGHTS) : null;
    messages.push({ role: "assistant", content, tool_calls: [{ id, type: "function", function: called }] });
    messages.push({ role: "tool", tool_call_id: id, content: resultOf(kind, 100 + words.number(470)) });
    return messages;
  }).flat();
}
