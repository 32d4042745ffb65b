/** What the model says in each step, what its tools give, and what the user asks: the same for every client. */
import { Random } from "../../src/testing/random.js";

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: { readonly [name: string]: unknown };
}

/** An answer without calls ends the turn. */
export interface Saying {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly Call[];
}

export interface LabTool {
  readonly name: string;
  readonly description: string;
  readonly schema: { readonly type: "object"; readonly [field: string]: unknown };
}

export const SYSTEM = `You are a careful engineer who works in a repository of TypeScript.
Read before you change, run the tests after each change, and say what you did in a sentence or two.`;

const text = (description: string) => ({ type: "string", description });
const tool = (name: string, description: string, properties: Record<string, unknown>): LabTool => ({
  name,
  description,
  schema: { type: "object", properties, required: Object.keys(properties), additionalProperties: false },
});

export const TOOLS: readonly LabTool[] = [
  tool("read_file", "Reads a file of the repository and gives its lines.", {
    path: text("From the root of the repository"),
  }),
  tool("run_command", "Runs a command in a shell, at most two minutes, and gives what it puts out.", {
    command: text("As it would be typed"),
    timeout: { type: "integer", description: "Seconds", minimum: 1 },
  }),
  tool("edit_file", "Replaces a text that occurs once in a file.", {
    path: text("From the root of the repository"),
    old: text("What stands there"),
    new: text("What is to stand there"),
  }),
];

/** VARVE_SEED draws another conversation. */
const SEED = Math.imul(Number(process.env.VARVE_SEED ?? 0), 0x9e3779b1);

/** Steps in which the user is not asked, so that views are cut inside of a turn. */
const LONG_TURN = { from: 30, to: 110 };

export function sayingAt(step: number): Saying {
  const random = new Random(SEED ^ (step + 1));
  const isLong = step >= LONG_TURN.from && step < LONG_TURN.to;
  const thought = `Step ${step}: ${prose(random, 1 + random.below(4))}`;
  if (!isLong && random.chance(0.12)) return { text: prose(random, 2 + random.below(6)), thought, calls: [] };
  const count = random.chance(0.7) ? 1 : 2 + random.below(3);
  const calls = Array.from({ length: count }, (_, at) => callOf(random, `${step}_${at}`));
  return { text: random.chance(0.3) ? prose(random, 1) : "", thought, calls };
}

export const askedAt = (step: number): string => `Task ${step}: ${prose(new Random(SEED ^ ~step), 1 + (step % 7))}`;

function callOf(random: Random, id: string): Call {
  const path = fileOf(random);
  const kind = random.next();
  if (kind < 0.5) return { id, name: "read_file", input: { path } };
  if (kind < 0.8) return { id, name: "run_command", input: { command: `npm test -- ${path}`, timeout: 60 } };
  const lines = random.chance(0.1) ? 150 : 1 + random.below(10);
  return { id, name: "edit_file", input: { path, old: code(random, 3), new: code(random, lines) } };
}

/** What a tool gives for a call: mostly a page, now and then nothing, an error, or more than a small window takes. */
export function outputOf({ id, name, input }: Call): string {
  const random = new Random([...id].reduce((sum, sign) => Math.imul(sum, 31) + sign.charCodeAt(0), SEED ^ 7));
  const kind = random.next();
  if (kind < 0.04) return "";
  if (kind < 0.1) return `Error: ENOENT: no such file or directory, open '${input.path ?? "package.json"}'`;
  if (name === "edit_file") return "Replaced.";
  const lines = kind < 0.8 ? 3 + random.below(25) : kind < 0.96 ? 25 + random.below(150) : 600 + random.below(900);
  return name === "read_file" ? code(random, lines) : log(random, lines);
}

const WORDS =
  "the session keeps entries and writes a view of them when it is due retry after timeout cache token window budget store " +
  "parser router request response invoice payment queue worker migration index schema field value error test passes fails";
const SPLIT = WORDS.split(" ");

const prose = (random: Random, sentences: number): string =>
  Array.from({ length: sentences }, () => {
    const words = Array.from({ length: 6 + random.below(14) }, () => random.pick(SPLIT));
    return `${words.join(" ")} in \`${fileOf(random)}\`.`;
  }).join(" ");

const fileOf = (random: Random): string => `src/${random.pick(SPLIT)}/${random.pick(SPLIT)}-${random.below(40)}.ts`;

const code = (random: Random, lines: number): string =>
  Array.from({ length: lines }, (_, at) => {
    const [name, other] = [random.pick(SPLIT), random.pick(SPLIT)];
    return `export const ${name}${at} = (${other}: Request): Response => respond(${other}, ${random.below(10_000)});`;
  }).join("\n");

const log = (random: Random, lines: number): string =>
  Array.from({ length: lines }, (_, at) => {
    const time = new Date(Date.UTC(2026, 0, 2, 8, 0, at)).toISOString();
    return `${time} ${random.pick(["INFO", "INFO", "WARN", "ERROR"])} ${random.pick(SPLIT)}: ${prose(random, 1)} took=${random.below(900)}ms`;
  }).join("\n");
