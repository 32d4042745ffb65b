/** Every command on a terminal: a pseudo-terminal of 60 columns in which a person goes through all of them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../src/cli/commands.js";
import { openVarve } from "../src/index.js";
import { calls, result, says, user, words } from "./support/build.js";
import { type BuiltPackage, buildPackage } from "./support/built-package.js";
import { hasScript, run, SCRIPT, scriptParameters } from "./support/command-line.js";

const FOLDER = mkdtempSync(join(tmpdir(), "varve-terminal-"));
const STORE = `sqlite:${join(FOLDER, "varve.db")}`;
const VARIABLES = {
  VARVE_STORE: STORE,
  XDG_CONFIG_HOME: join(FOLDER, "home"),
  APPDATA: join(FOLDER, "home"),
  NO_COLOR: "1",
};
const COLUMNS = 60;

/** The command, its exit code, and a word that its output has. Later ones stand on what earlier ones did. */
const CALLS: readonly (readonly [line: string, code: number, word: string])[] = [
  ["context status", 0, "Blocks"],
  ["context explain", 0, ""],
  ["notes", 0, "# Notes on"],
  ["context compress", 0, "tokens"],
  ["context undo", 0, "tokens"],
  ["context summarize", 0, "tokens"],
  ["context receipts", 0, "tokens"],
  ["context checkpoint first", 0, "first"],
  ["context restore first", 0, "first"],
  ["context search port", 0, "port"],
  ["context expand e1", 0, ""],
  ["context pin", 0, ""],
  ["context unpin nothing", 4, "nothing"],
  ["session list", 0, "ann:coder:1"],
  ["session show", 0, "ann:coder:1"],
  ["session fork ann:coder:1 copy", 0, "copy"],
  ["session export copy -o copy.jsonl", 0, "session"],
  ["session delete copy --yes", 0, "copy"],
  ["session import copy.jsonl", 0, "1 session"],
  ["memory add I_work_at_Acme --id job", 0, "job"],
  ["memory search Acme", 0, "Acme"],
  ["memory update job I_work_at_Globex", 0, "Globex"],
  ["memory history job", 0, "version 2"],
  ["memory list", 0, "Globex"],
  ["memory audit", 0, "duplicates"],
  ["memory export -o memories.jsonl", 0, "memor"],
  ["memory import memories.jsonl --user ben", 0, "memor"],
  ["memory forget job --yes", 0, "Forgot"],
  ["memory embed", 0, "vectors"],
  ["import recording.json", 0, ""],
  ["replay recording.json --window 4000", 0, ""],
  ["config init", 0, "varve.json"],
  ["config show", 0, "store"],
  ["config trust", 0, "needs trust"],
  ["config schema", 0, "varve.json"],
  ["store verify", 0, "entries"],
  ["store backup copy", 0, "copy"],
  ["store repair --dry-run", 0, ""],
  ["doctor", 0, "Node"],
  ["completions bash", 0, "complete"],
];

let built: BuiltPackage;
beforeAll(async () => {
  [built] = await Promise.all([buildPackage(), fill()]);
}, 60_000);
afterAll(() => {
  built?.remove();
  rmSync(FOLDER, { recursive: true, force: true });
});

async function fill(): Promise<void> {
  const varve = await openVarve({ store: STORE });
  const session = await varve.session("ann:coder:1", { window: 4_000, strategy: "hierarchical" });
  for (let turn = 0; turn < 20; turn++) {
    await session.append([user(`request ${turn}: where is the port ${4_000 + turn}?`), calls(`c${turn}`)]);
    await session.append([result(`c${turn}`, `port ${4_000 + turn} ${words(60, `file-${turn}`)}`)]);
    await session.view({ system: "You are a careful engineer." });
    await session.append([says(`It is in src/part-${turn}.ts.`)]);
  }
  await varve.close();
  const recorded = Array.from({ length: 40 }, (_, n) => ({
    role: n % 2 ? "assistant" : "user",
    content: words(40, `m${n}`),
  }));
  writeFileSync(join(FOLDER, "recording.json"), JSON.stringify(recorded));
}

describe.skipIf(!hasScript())("on a terminal (skipped without `script` of util-linux)", () => {
  test("each command runs, and ends with its code", async () => {
    const script = CALLS.map(([line]) => `echo "@@ ${line}"; "$NODE" "$MAIN" ${line}; echo "@@ code $?"`).join("\n");
    const file = join(FOLDER, "session.sh");
    writeFileSync(file, script);
    const variables = { ...VARIABLES, NODE: process.execPath, MAIN: built.main };
    const { stdout } = await run(SCRIPT, scriptParameters(`bash ${file}`, { columns: COLUMNS }), {
      variables,
      folder: FOLDER,
    });
    const seen = stdout.split(/@@ (?!code)/).slice(1);
    const outcomes = seen.map((text) => {
      const [line = "", ...output] = text.split(/\r?\n/);
      return { line, code: Number(/@@ code (\d+)/.exec(text)?.[1]), output: output.join("\n") };
    });
    expect(outcomes.map(({ line, code }) => [line, code])).toEqual(CALLS.map(([line, code]) => [line, code]));
    for (const [at, { line, output }] of outcomes.entries())
      expect(`${line}: ${output}`.toLowerCase()).toContain(CALLS[at]![2].toLowerCase());
  }, 180_000);

  test("no command is missing from this test", () => {
    const names = COMMANDS.flatMap(({ name, commands }) => commands?.map((each) => `${name} ${each.name}`) ?? [name]);
    const driven = new Set(CALLS.map(([line]) => line));
    const elsewhere = ["chat", "demo"]; // have tests of their own
    expect(
      names.filter((name) => !elsewhere.includes(name) && ![...driven].some((line) => line.startsWith(name))),
    ).toEqual([]);
  });
});
