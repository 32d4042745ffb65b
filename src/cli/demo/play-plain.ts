import type { Screen } from "../terminal/screen.js";
import { collect, type Replayed } from "./collect.js";
import { eventLines, eventsOf } from "./events.js";
import { frameLines } from "./frame.js";
import type { replay } from "./replay.js";

/** One line for each thing that was done, and the window as it stood in the end. Nothing moves and nothing waits. */
export async function playPlain(replayed: ReturnType<typeof replay>, screen: Screen): Promise<Replayed> {
  const { ink } = screen;
  const result = await collect(replayed, (step) => {
    const lines = eventsOf(step).flatMap((event) => eventLines(event, { width: screen.width(), ink, details: false }));
    if (lines.length > 0) screen.print(lines);
  });
  const options = { ink, width: screen.width(), height: Number.POSITIVE_INFINITY, caption: false };
  screen.print(["", ...frameLines(result.steps.at(-1)!, options)]);
  return result;
}
