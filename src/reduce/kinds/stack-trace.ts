import { type LineRule, liftContext, liftEdges, liftTotals, SEVERE, scoreByRules, TIER } from "../line-rules.js";
import { lineTemplate } from "../line-template.js";
import type { SourceLines } from "../source-lines.js";

/** What valgrind and the sanitizers put before a line: the process that it is about. */
const PROCESS = /^==\d+== ?/;

/** One frame of a stack, in the notation of most languages. */
export const FRAME =
  /^\s+at \S|^==\d+==\s+(?:at|by) 0x|^[\s|]+File "[^"]{1,300}", line \d+|^\s*#\d+\s+0x|^\s*#\d+ {1,2}(?:\S{1,200}\(\d+\): |[\w:~<>]{1,120} \(.{0,200}\) (?:at|from) \S)|^\s*\d+: +0x[\da-f]+|^\s+\S+\.go:\d+ \+0x|^goroutine \d+ |^\s+from \S+:\d+:in /;

const FOREIGN =
  /node_modules|node:internal|site-packages|dist-packages|java\.base|\bjdk\.|org\.(?:junit|springframework|apache)|\/rustc\/|<anonymous>|vgpreload_/;

const RULES: readonly LineRule[] = [
  [/^\s*(?:Caused by|Suppressed)\b/, TIER.verdict],
  [/^[\s|+]*(?:During handling of|The above exception|(?:Exception Group )?Traceback)\b/, TIER.error],
  [
    /^[\w.$]{1,160}(?:Error|Exception|Interrupt|Exit|Fault)\b|^(?:panic|fatal error|thread '.{0,80}' panicked)/,
    TIER.verdict,
  ],
  [/^[\s|]{1,24}[\w.$]{0,160}(?:Error|Exception)(?::|$)/, TIER.verdict],
  [/^(?:Uncaught|Unhandled|Exception in thread|SUMMARY: |ERROR: \w+Sanitizer)/, TIER.verdict],
  [/\bexit(?:ed)?(?: with)?(?: code| status)? [1-9]\d*\b/i, TIER.verdict],
  [/\bmemory error detector\b|^(?:For lists of detected|Use --track-origins|ERROR SUMMARY: 0 )/, TIER.none],
  [
    /^(?:Invalid (?:read|write|free)|Process terminating|ERROR SUMMARY: |\S.{0,120}(?:uninitialised|definitely lost in))/,
    TIER.verdict,
  ],
];

/** How it all ended. */
const TOTALS = /^ERROR SUMMARY: [1-9]|^SUMMARY: |^Command exited with code [1-9]|^exit (?:code|status) [1-9]/i;

/** Frames next to an error tell where to look; `NEAREST` come before the lines around errors, `NEAR` along with them. */
const NEAREST = 3;
const NEAR = 12;
const NEAREST_TIER = TIER.edge - 1;
const HEAD = 300;
/** An error and its frames may stand apart by so many blank lines. */
const BLANKS = 1;

export function scoreStackTrace(source: SourceLines): Uint8Array {
  const lines = withoutProcess(source);
  const tiers = scoreByRules(lines, [...RULES, [FRAME, TIER.none], [SEVERE, TIER.place]]);
  const seen = new Set<number>();
  const frames = new Map<number, number>();
  const found = traces(source);
  for (const trace of found) {
    liftMessage(lines, tiers, { index: messageOf(lines, trace), seen });
    rankFrames(source, trace, frames);
  }
  if (found.some(({ isPython }) => isPython)) liftLast(tiers);
  const totalled = liftTotals(lines, tiers, { pattern: TOTALS });
  const lifted = liftEdges(liftContext(totalled, { before: 1, after: 2 }), { first: 1, last: 2 });
  for (const [index, tier] of frames) if (lifted[index]! < NEAREST_TIER) lifted[index] = tier;
  return lifted;
}

/** Of errors that led to one another, Python ends with the one that was not caught. */
function liftLast(tiers: Uint8Array): void {
  const last = tiers.lastIndexOf(TIER.verdict);
  if (last >= 0) tiers[last] = TIER.totals;
}

function withoutProcess(lines: SourceLines): SourceLines {
  if (!Array.from({ length: Math.min(8, lines.count) }, (_, i) => lines.head(i, 40)).some((head) => PROCESS.test(head)))
    return lines;
  return { ...lines, head: (index, limit) => lines.head(index, limit).replace(PROCESS, "") };
}

/** A run of frames, with the lines of code between them. */
interface Trace {
  readonly first: number;
  /** Indexes of the frames. */
  readonly frames: number[];
  /** Whether the frame nearest to the error stands last, and the error below it. */
  readonly isPython: boolean;
  /** Index after the last line. */
  end: number;
}

function traces(lines: SourceLines): Trace[] {
  const found: Trace[] = [];
  let open: Trace | undefined;
  for (let index = 0; index < lines.count; index++) {
    const head = lines.head(index, HEAD);
    if (FRAME.test(head)) {
      if (open === undefined) {
        open = { first: index, frames: [], isPython: /^[\s|]+File "/.test(head), end: index };
        found.push(open);
      }
      open.frames.push(index);
    } else if (!/^\s+\S/.test(head)) open = undefined;
    if (open !== undefined) open.end = index + 1;
  }
  return found;
}

/** Index of the line that says what went wrong: below the frames in Python, above them elsewhere. */
function messageOf(lines: SourceLines, { first, end, isPython }: Trace): number {
  if (isPython) return end;
  let index = first - 1;
  for (let blanks = 0; blanks < BLANKS && index > 0 && lines.head(index, HEAD).trim() === ""; blanks++) index--;
  return index;
}

/**
 * Of messages that differ in numbers alone, as of the threads of a dump, the first is enough. One that is indented
 * tells more of another.
 */
function liftMessage(
  lines: SourceLines,
  tiers: Uint8Array,
  { index, seen }: { index: number; seen: Set<number> },
): void {
  if (index < 0 || index >= lines.count) return;
  const head = lines.head(index, HEAD);
  const { kind } = lineTemplate(head);
  if (head.trim() === "" || seen.has(kind)) return;
  seen.add(kind);
  tiers[index] = Math.max(tiers[index]!, /^\s/.test(head) ? TIER.detail : TIER.verdict);
}

/** Ranks each frame, those in the user's own code by their distance from the error; a frame that recurs counts once. */
function rankFrames(lines: SourceLines, { frames, isPython }: Trace, tiers: Map<number, number>): void {
  const seen = new Set<string>();
  for (const index of isPython ? [...frames].reverse() : frames) {
    const frame = lines.head(index, HEAD).replace(/^\s*#\d+/, "");
    const isOwn = !FOREIGN.test(frame) && !seen.has(frame);
    if (isOwn) seen.add(frame);
    const isNearest = isOwn && seen.size <= NEAREST;
    tiers.set(index, isNearest ? NEAREST_TIER : isOwn && seen.size <= NEAR ? TIER.context : TIER.none);
    if (isNearest && isPython) tiers.set(index + 1, TIER.context);
  }
}
