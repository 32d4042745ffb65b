import { countOf, formatCount, wrap } from "../terminal/format.js";
import { openScreen, type ScreenOutput } from "../terminal/screen.js";
import { collect } from "./collect.js";
import { demoDocument } from "./document.js";
import { type Pace, playLive } from "./play-live.js";
import { playPlain } from "./play-plain.js";
import { replay } from "./replay.js";
import { type SampleSession, sampleSession } from "./sample-session.js";
import { summarize } from "./summary.js";
import { summaryLines } from "./summary-lines.js";

export interface DemoOptions {
  readonly window: number;
  readonly strategy: string;
  readonly speed: Pace | "instant";
  readonly color: boolean;
  readonly json?: boolean;
}

/** Replays the sample session: as a moving picture on a terminal, as plain lines in a pipe, or as JSON. */
export async function runDemo(options: DemoOptions, output: ScreenOutput): Promise<void> {
  const sample = sampleSession();
  const replayed = await begun(replay({ sample, window: options.window, strategy: options.strategy }));
  if (options.json) return printDocument(replayed, output);
  const screen = openScreen(output, options.color, process.env);
  screen.print(["", ...introduction(sample, options.window, screen.width()), ""]);
  const pace = screen.isLive ? options.speed : "instant";
  const { steps, log } = await (pace === "instant" ? playPlain(replayed, screen) : playLive(replayed, screen, pace));
  screen.print(["", ...summaryLines(summarize(steps, log), { ink: screen.ink, width: screen.width() }), ""]);
}

/** What cannot be replayed, as in a window that is too small, is told before anything is shown. */
async function begun(replayed: ReturnType<typeof replay>): Promise<ReturnType<typeof replay>> {
  const first = await replayed.next();
  async function* goOn(): ReturnType<typeof replay> {
    if (first.done) return first.value;
    yield first.value;
    return yield* replayed;
  }
  return goOn();
}

function introduction({ title, messages }: SampleSession, window: number, width: number): string[] {
  const text = `${title} ${countOf(messages.length, "recorded message")}, replayed through a window of ${formatCount(window)} tokens.`;
  return wrap(text, width - 1).map((line) => ` ${line}`);
}

async function printDocument(replayed: ReturnType<typeof replay>, output: ScreenOutput): Promise<void> {
  const { steps, log } = await collect(replayed);
  output.write(`${JSON.stringify(demoDocument(steps, summarize(steps, log)), null, 2)}\n`);
}
