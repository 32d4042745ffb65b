import type { ReplayData } from "../output/recording-schemas.js";
import type { FailedFile } from "../recordings/failed-file.js";
import type { RecordingFile } from "../recordings/read-file.js";
import type { ConversationRun, Run } from "./compare.js";
import { type Rates, type Rating, rate } from "./figures.js";
import { type Advice, RULE } from "./recommend.js";
import type { Setting } from "./setting.js";

export interface Outcome {
  readonly files: readonly RecordingFile[];
  readonly model: string | undefined;
  readonly rates: Rates;
  readonly runs: readonly Run[];
  /** Undefined where nothing was compared. */
  readonly advice: Advice | undefined;
  /** Files that could not be read. */
  readonly failed: readonly FailedFile[];
}

/** What a replay found out, as programs get it. */
export function replayData({ files, failed, model, rates, runs, advice }: Outcome): ReplayData {
  const recommended = advice?.recommended;
  return {
    files: files.map(fileData),
    failed: failed.map(({ data }) => data),
    model: model ?? null,
    unit: rates.unit,
    runs: runs.map((run) => runData(run, rates)),
    recommended: recommended === undefined ? null : { ...settingData(recommended.setting), rule: RULE },
    reason: advice?.reason ?? null,
    applied: null,
    html: null,
  };
}

export const fileData = ({ file, format, conversations, warnings }: RecordingFile): ReplayData["files"][number] => ({
  file,
  format,
  conversations: conversations.length,
  warnings: warnings.map((warning) => ({ ...warning })),
});

const runData = ({ setting, unfit, total, conversations }: Run, rates: Rates): ReplayData["runs"][number] => ({
  ...settingData(setting),
  unfit,
  total: figuresData(total),
  conversations: conversations.map((each) => conversationData(each, rates)),
});

const settingData = ({ name, window, trigger, target }: Setting) => ({
  strategy: name,
  window,
  trigger: trigger ?? null,
  target: target ?? null,
});

const conversationData = ({ played, figures, unfit }: ConversationRun, rates: Rates) => ({
  file: played.file,
  id: played.id,
  messages: played.recorded.messages.length,
  longest: played.recorded.longest,
  unfit: unfit ?? null,
  ...figuresData(rate(figures, rates)),
});

const figuresData = ({ milliseconds, ...figures }: Rating) => ({
  ...figures,
  milliseconds: Math.round(milliseconds * 10) / 10,
});
