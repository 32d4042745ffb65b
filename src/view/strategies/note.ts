import { beginning, messageText } from "../../message/content.js";
import { foreignText } from "../../message/foreign-text.js";
import type { Log } from "../../message/log.js";
import type { Position } from "../../message/positions.js";
import type { PastPolicy } from "../policy.js";

const EXCERPT_LENGTH = 100;
const LATEST = 2;

/** Share of the room that a note may take, and the most it needs however large the window. */
const NOTE_SHARE = 0.08;
const LARGEST_NOTE = 256;
const SMALLEST_NOTE = 24;

/** A note at the cut: how much is missing, and what it was about. It holds no word of a tool. */
export function note(role: "system" | "user" = "user"): PastPolicy {
  return {
    role,
    bound: (_, room) => Math.min(LARGEST_NOTE, Math.max(SMALLEST_NOTE, Math.floor(room * NOTE_SHARE))),
    write: ({ plan, cut, leftOut, isShown, room }) => {
      const { log, counter } = plan.reading;
      const count = `${leftOut} earlier ${leftOut === 1 ? "message" : "messages"}`;
      const requests = log.requests.filter((at) => at < cut && !isShown(at));
      const full = fullText(count, requests, log);
      const short = `${count} left out.`;
      if (counter.text(full) <= Math.min(room, LARGEST_NOTE)) return { text: full, covers: [] };
      return counter.text(short) <= room ? { text: short, covers: [] } : undefined;
    },
  };
}

/** The requests are those left out: one that is still shown needs no excerpt, and its turn is not gone. */
function fullText(count: string, requests: readonly Position[], log: Log): string {
  const turns = requests.length > 1 ? ` (${requests.length} turns)` : "";
  const head = `${count}${turns} left out to fit the window; the log keeps them.`;
  const [first, ...later] = requests;
  if (first === undefined) return head;
  const latest = later.slice(-LATEST).map((at) => `Later request: ${excerpt(log, at)}`);
  return [head, `First request: ${excerpt(log, first)}`, ...latest].join("\n");
}

/** In quotes that the request cannot close. */
const excerpt = (log: Log, position: Position): string =>
  foreignText(JSON.stringify(beginning(messageText(log.messageAt(position)), EXCERPT_LENGTH)));
