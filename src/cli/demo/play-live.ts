import { setTimeout as sleep } from "node:timers/promises";
import { LiveArea } from "../terminal/live-area.js";
import type { Screen } from "../terminal/screen.js";
import { collect, type Replayed } from "./collect.js";
import { eventLines, eventsOf } from "./events.js";
import { frameLines } from "./frame.js";
import type { replay, Step } from "./replay.js";

export type Pace = "fast" | "normal" | "slow";

/** Milliseconds that a step is shown, and how much longer for each thing that was done in it. */
const PACES: Readonly<Record<Pace, { readonly step: number; readonly event: number }>> = {
  fast: { step: 25, event: 50 },
  normal: { step: 110, event: 230 },
  slow: { step: 250, event: 900 },
};

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const DEFAULT_ROWS = 24;
const SCROLLING = 8;

type Replay = ReturnType<typeof replay>;

/** Shows each step in place, and what was done scrolls by above it. However it ends, the cursor is back. */
export async function playLive(replayed: Replay, screen: Screen, pace: Pace): Promise<Replayed> {
  const area = new LiveArea(screen.output);
  const release = closeOnSignal(area, screen);
  try {
    const result = await collect(replayed, async (step) => {
      const events = showStep(step, area, screen);
      await sleep(PACES[pace].step + events * PACES[pace].event);
    });
    area.draw(frame(result.steps.at(-1)!, screen, false));
    return result;
  } finally {
    area.close();
    release();
  }
}

/** Draws one step and says how many things were done in it. */
function showStep(step: Step, area: LiveArea, screen: Screen): number {
  const events = eventsOf(step);
  const options = { width: screen.width(), ink: screen.ink, details: true };
  area.draw(
    frame(step, screen, true),
    events.flatMap((event) => eventLines(event, options)),
  );
  return events.length;
}

/**
 * A blank line keeps the frame apart from what scrolls by, which gets a few lines where it can. A frame taller than the
 * terminal could not be drawn in place, so it is cut off; one line is left for the cursor.
 */
function frame(step: Step, { output, ink, width }: Screen, caption: boolean): string[] {
  const rows = output.rows || DEFAULT_ROWS;
  const lines = frameLines(step, { ink, width: width(), height: rows - SCROLLING, caption });
  return ["", ...lines].slice(0, rows - 1);
}

function closeOnSignal(area: LiveArea, screen: Screen): () => void {
  const handlers = Object.entries(SIGNALS).map(([signal, code]) => {
    const handler = () => {
      area.close();
      screen.print([""]);
      process.exit(code);
    };
    process.once(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => {
    for (const remove of handlers) remove();
  };
}
