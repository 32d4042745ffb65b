import type { LoadedConfig } from "../../config/load-config.js";
import { defineCommand } from "../command.js";
import { type Check, type CheckResult, failedWith, ok } from "../doctor/check.js";
import { chatCheck, embedderCheck, strategyCheck, summariserCheck, windowCheck } from "../doctor/model-checks.js";
import { clockCheck, damageCheck, diskCheck, permissionCheck, storeCheck } from "../doctor/place-checks.js";
import { configOf, type SessionChoice } from "../open.js";
import type { Output } from "../output/schemas.js";
import type { Ink, Tone } from "../terminal/colour.js";
import { padEnd, wrap } from "../terminal/format.js";
import type { Screen } from "../terminal/screen.js";

const nodeCheck: Check = {
  name: "node",
  // An older one is turned away before any command runs.
  run: async () => ok(`${process.versions.node} on ${process.platform} ${process.arch}`),
};

const CHECKS: readonly Check[] = [
  nodeCheck,
  storeCheck,
  damageCheck,
  permissionCheck,
  diskCheck,
  clockCheck,
  windowCheck,
  strategyCheck,
  chatCheck,
  summariserCheck,
  embedderCheck,
];

type Checked = Output<"doctor">["checks"][number];

export const command = defineCommand<SessionChoice>({
  shares: ["store", "window"],
  async run({ options, screen }) {
    const checks = await checkAll(options);
    const exitCode = checks.some(({ status }) => status === "failed") ? 1 : 0;
    return { data: { checks } satisfies Output<"doctor">, lines: () => checkLines(checks, screen), exitCode };
  },
});

/** Where the configuration cannot be read, the rest would check another one. */
async function checkAll(options: SessionChoice): Promise<Checked[]> {
  let loaded: LoadedConfig;
  try {
    loaded = await configOf(options);
  } catch (error) {
    return [await checked(nodeCheck, undefined), row("configuration", failedWith(error))];
  }
  const { project, plugin, user } = loaded.files;
  const files = [project, plugin, user].filter((file) => file !== undefined).join(", ");
  const notes: CheckResult = {
    status: "warning",
    text: loaded.notes.join(" "),
    remedy: "`varve config show` tells what is in force.",
  };
  const configuration = loaded.notes.length > 0 ? notes : ok(files || "no file; defaults are in force");
  const results: Checked[] = [];
  for (const check of CHECKS) results.push(await checked(check, loaded));
  return results.toSpliced(1, 0, row("configuration", configuration));
}

async function checked(check: Check, loaded: LoadedConfig | undefined): Promise<Checked> {
  try {
    return row(check.name, await check.run(loaded as LoadedConfig));
  } catch (error) {
    return row(check.name, failedWith(error));
  }
}

const row = (name: string, { status, text, remedy }: CheckResult): Checked => ({
  name,
  status,
  text,
  remedy: remedy ?? null,
});

const LOOKS: Readonly<
  Record<Checked["status"], { readonly tone: Tone; readonly mark: string; readonly letter: string }>
> = {
  ok: { tone: "green", mark: "✓", letter: "ok" },
  warning: { tone: "orange", mark: "!", letter: "!" },
  failed: { tone: "red", mark: "✗", letter: "FAILED" },
};

const LABEL = 14;
const MARK = 8;

function checkLines(checks: readonly Checked[], screen: Screen): string[] {
  const indent = " ".repeat(LABEL + MARK);
  const width = Math.max(16, screen.width() - LABEL - MARK - 1);
  return checks.flatMap(({ name, status, text, remedy }) => {
    const head = `${padEnd(markOf(status, screen.ink), MARK)}${padEnd(name, LABEL)}`;
    const words = wrap(text, width).map((line, at) => ` ${at === 0 ? head : indent}${line}`);
    const todo = remedy === null ? [] : wrap(`What to do: ${remedy}`, width).map((line) => ` ${indent}${line}`);
    return [...words, ...todo];
  });
}

const markOf = (status: Checked["status"], ink: Ink): string =>
  ink.depth === 0 ? LOOKS[status].letter : ink.tone(LOOKS[status].tone, LOOKS[status].mark);
