import { accessSync, constants, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { LoadedConfig } from "../../config/load-config.js";
import { VarveError } from "../../errors.js";
import { createTokenCounter } from "../../tokens/create-token-counter.js";
import { findModel } from "../../tokens/models.js";
import { DEFAULT_STRATEGY } from "../../view/strategies/default-strategy.js";
import { defineCommand } from "../command.js";
import { writing } from "../not-written.js";
import { configOf } from "../open.js";
import type { ReplayData } from "../output/recording-schemas.js";
import { compareLines, replayLines } from "../output/replay-lines.js";
import { exitCodeOfFailed, type FailedFile, failedFile, sayFailures } from "../recordings/failed-file.js";
import { formatOption, readingOf } from "../recordings/format-option.js";
import { type RecordingFile, readRecordingFile } from "../recordings/read-file.js";
import { sayWarnings } from "../recordings/say-warnings.js";
import { applySetting } from "../replay/apply.js";
import { type Played, type Run, runSetting, totalWork } from "../replay/compare.js";
import { ratesOf } from "../replay/figures.js";
import { comparedSettings, largestWindow, modelOf, namedStrategy, playedOf, windowOf } from "../replay/prepare.js";
import { recommend } from "../replay/recommend.js";
import { type Outcome, replayData } from "../replay/replay-data.js";
import { checkReplayOptions, type ReplayOptions, replayOptions } from "../replay/replay-options.js";
import { isSame, type Setting } from "../replay/setting.js";
import { sharedCounter } from "../replay/shared-counter.js";
import { collect } from "../shared-options.js";
import { formatCount } from "../terminal/format.js";
import { Progress } from "../terminal/progress.js";

const USUAL_WINDOW = 128_000;
const BROKEN_PROMISE = 1;

export const command = defineCommand<ReplayOptions>({
  shares: ["window"],
  define: (command) => {
    command.argument("<file...>", "recordings of agents' sessions, packed with gzip or not; - for stdin");
    replayOptions(command);
    formatOption(command)
      .option("--config <file>", "the varve.json to read instead of the project's")
      .option("--set <path=value>", "any setting of varve.json", collect);
  },
  async run({ options, operands, say }) {
    checkReplayOptions(options);
    if (options.html !== undefined) checkPlace(options.html);
    const loaded = await configOf(options.compare ? unflagged(options) : options);
    const files = await readFiles(operands[0] as unknown as readonly string[], options, say);
    const outcome = await replayAll(files, { options, loaded, say });
    const data = await finish(outcome, { options, loaded, say });
    const isBroken = data.runs.some(({ total }) => total.over > 0 || total.illegal > 0);
    return {
      data,
      lines: (screen) => (options.compare ? compareLines(data, screen) : replayLines(data, screen)),
      exitCode: isBroken ? BROKEN_PROMISE : exitCodeOfFailed(outcome.failed),
    };
  },
});

/** A window and a model that a comparison is asked about are not yet those of the configuration. */
function unflagged({ window: _window, model: _model, ...rest }: ReplayOptions): ReplayOptions {
  return rest;
}

interface Work {
  readonly options: ReplayOptions;
  readonly loaded: LoadedConfig;
  readonly say: (text: string) => void;
}

interface ReadFiles {
  readonly files: readonly RecordingFile[];
  readonly failed: readonly FailedFile[];
}

/** What cannot be read is said, and the rest is replayed. */
async function readFiles(names: readonly string[], options: ReplayOptions, say: Work["say"]): Promise<ReadFiles> {
  const files: RecordingFile[] = [];
  const failed: FailedFile[] = [];
  for (const name of names)
    await readRecordingFile(name, readingOf(options)).then(
      (file) => files.push(file),
      (error: unknown) => failed.push(failedFile(name, error)),
    );
  sayFailures(failed, files.length, say);
  sayWarnings(files, say);
  return { files, failed };
}

async function replayAll({ files, failed }: ReadFiles, work: Work): Promise<Outcome> {
  const { options, loaded, say } = work;
  const model = options.model ?? modelOf(loaded, files);
  const counter = sharedCounter(createTokenCounter(model === undefined ? {} : { model }));
  const rates = ratesOf(model === undefined ? undefined : findModel(model)?.price);
  if (model !== undefined && rates.unit === "tokens") say(`No prices are known of ${model}.`);
  const played = playedOf(files, counter);
  const present = await presentSetting(model, work);
  const settings = options.compare ? await settingsFor(played, { model, present }, work) : [present];
  const progress = new Progress(process.stderr, { total: totalWork(played, settings), now: () => performance.now() });
  const { reserve } = loaded.config;
  const maxSpend = rates.unit === "USD" ? loaded.config.maxSpend : undefined;
  const tools = { counter, model, rates, reserve, maxSpend, now: () => performance.now() };
  const runs: Run[] = [];
  for (const [at, setting] of settings.entries()) {
    const doing = `${at + 1} of ${settings.length}: ${setting.name}, window ${formatCount(setting.window)}`;
    const onProgress = (amount: number): unknown => progress.advance(amount, doing);
    runs.push(await runSetting(played, setting, { ...tools, onProgress }));
  }
  progress.end();
  const advice = options.compare ? recommend(runs, runs.find(({ setting }) => isSame(setting, present))!) : undefined;
  return { files, failed, model, rates, runs, advice };
}

async function settingsFor(
  played: readonly Played[],
  { model, present }: { readonly model: string | undefined; readonly present: Setting },
  { options, loaded }: Work,
): Promise<Setting[]> {
  const windows = options.windows ?? (options.window === undefined ? undefined : [options.window]);
  const longest = Math.max(...played.map(({ recorded }) => recorded.longest));
  const compared = { longest, largestWindow: largestWindow(loaded, model), present };
  return comparedSettings(loaded, { ...options, windows }, compared);
}

/** The setting that holds where nothing is changed. */
async function presentSetting(model: string | undefined, { options, loaded, say }: Work): Promise<Setting> {
  const window = windowOf(loaded, model);
  if (window === undefined) say(`Neither a window nor a model is named: the window is ${formatCount(USUAL_WINDOW)}.`);
  const { strategy = DEFAULT_STRATEGY, trigger, target } = loaded.config;
  const shares = { trigger: options.trigger ?? trigger, target: options.target ?? target };
  const given = Object.fromEntries(Object.entries(shares).filter(([, share]) => share !== undefined));
  return { ...(await namedStrategy(loaded, strategy)), window: window ?? USUAL_WINDOW, ...given };
}

/** A page that cannot be written is to be known before the work, and not behind it. */
function checkPlace(file: string): void {
  try {
    accessSync(dirname(resolve(file)), constants.W_OK);
  } catch (cause) {
    throw new VarveError({
      code: "invalid-option",
      message: `--html ${file} cannot be written: its folder is not there, or may not be written to.`,
      hint: "Make the folder, or name a file in another one.",
      cause,
      details: { option: "--html", value: file },
    });
  }
}

/** Writes what was asked to be written. */
async function finish(outcome: Outcome, { options, loaded, say }: Work): Promise<ReplayData> {
  const data = replayData(outcome);
  if (options.html !== undefined) {
    const { replayPage } = await import("../replay/page/replay-page.js");
    const { html } = options;
    writing(html, "Name another file with --html.", () => writeFileSync(html, replayPage(data, outcome)));
  }
  const html = options.html ?? null;
  const { recommended } = outcome.advice ?? {};
  if (!options.apply || recommended === undefined) {
    if (options.apply) say("There is nothing to change: varve.json stays as it is.");
    return { ...data, html };
  }
  const { file, overruled, dropped } = await applySetting(recommended.setting, loaded);
  if (dropped.length > 0) say(`Left out of it, being of another strategy: ${dropped.join(", ")}.`);
  for (const each of overruled) say(`Note: varve.json does not decide ${each}.`);
  return { ...data, html, applied: file };
}
