import type { TokenCounter } from "../../tokens/counter.js";
import { addFigures, type Figures, type Rates, type Rating, rate } from "./figures.js";
import type { RecordedSteps } from "./recorded-steps.js";
import { type Replayed, replayConversation } from "./replay-conversation.js";
import type { Setting } from "./setting.js";

/** A conversation with the file and the name it goes by. */
export interface Played {
  readonly file: string;
  readonly id: string;
  readonly recorded: RecordedSteps;
}

export interface ConversationRun extends Replayed {
  readonly played: Played;
}

/** All conversations under one setting. */
export interface Run {
  readonly setting: Setting;
  readonly total: Rating;
  readonly conversations: readonly ConversationRun[];
  /** Conversations that do not fit the window whatever is left out. */
  readonly unfit: number;
}

export interface RunTools {
  readonly counter: TokenCounter;
  readonly model: string | undefined;
  /** Tokens kept free for the answer, where they are configured. */
  readonly reserve: number | undefined;
  /** What a step may cost, where it is configured and the prices are known. */
  readonly maxSpend?: number | undefined;
  readonly rates: Rates;
  readonly now: () => number;
  /** Called as the work goes on with how much of it was done, in the unit of `totalWork`. */
  readonly onProgress: (amount: number) => unknown;
}

/** Replays every conversation under one setting. */
export async function runSetting(all: readonly Played[], setting: Setting, tools: RunTools): Promise<Run> {
  const { onProgress, rates, ...own } = tools;
  const onView = (history: number) => void onProgress(workOf(history, setting.window));
  const conversations: ConversationRun[] = [];
  for (const played of all)
    conversations.push({ played, ...(await replayConversation(played.recorded, setting, { ...own, onView })) });
  return { setting, conversations, total: totalOf(conversations, rates), unfit: conversations.filter(isUnfit).length };
}

/** What fits is added up; what does not is counted apart. */
const totalOf = (conversations: readonly ConversationRun[], rates: Rates): Rating =>
  rate(addFigures(conversations.map(({ figures }): Figures => figures)), rates);

const isUnfit = ({ unfit }: ConversationRun): boolean => unfit !== undefined;

/** A view takes about as long as it is large, with something for each step. */
const PER_STEP = 2_000;
const workOf = (history: number, window: number): number => PER_STEP + Math.min(history, window);

/** All the work that settings ask for, in the unit of `onProgress`. */
export function totalWork(all: readonly Played[], settings: readonly Setting[]): number {
  const of = (window: number): number =>
    all.reduce(
      (sum, { recorded }) =>
        recorded.steps.reduce((each, { at }) => each + workOf(recorded.tokensBefore(at), window), sum),
      0,
    );
  const byWindow = new Map([...new Set(settings.map(({ window }) => window))].map((window) => [window, of(window)]));
  return settings.reduce((sum, { window }) => sum + (byWindow.get(window) ?? 0), 0);
}
