import { type LineRule, liftContext, liftEdges, SEVERE, scoreByRules, TIER } from "../line-rules.js";
import type { SourceLines } from "../source-lines.js";

/** One frame of a stack, in the notation of most languages. */
export const FRAME =
  /^\s+at \S|^\s+File "[^"]{1,300}", line \d+|^\s*#\d+\s+0x|^\s*\d+: +0x[\da-f]+|^\s+\S+\.go:\d+ \+0x|^goroutine \d+ |^\s+from \S+:\d+:in /;

const FOREIGN =
  /node_modules|node:internal|site-packages|dist-packages|java\.base|\bjdk\.|org\.(?:junit|springframework|apache)|\/rustc\/|<anonymous>/;

const RULES: readonly LineRule[] = [
  [/^\s*(?:Caused by|Suppressed|During handling of|The above exception)\b/, TIER.verdict],
  [
    /^[\w.$]{1,160}(?:Error|Exception|Interrupt|Exit|Fault)\b|^(?:panic|fatal error|thread '.{0,80}' panicked)/,
    TIER.verdict,
  ],
  [/^(?:Uncaught|Unhandled|Traceback|Exception in thread)\b/, TIER.verdict],
];

export function scoreStackTrace(lines: SourceLines): Uint8Array {
  const tiers = scoreByRules(lines, [...RULES, [FRAME, TIER.context], [SEVERE, TIER.place]]);
  const own = liftOwnFrames(lines, tiers);
  return liftEdges(liftContext(own, { before: 1, after: 2 }), { first: 1, last: 2 });
}

/** The frames nearest to the error, and those in the user's own code, tell where to look. */
function liftOwnFrames(lines: SourceLines, tiers: Uint8Array): Uint8Array {
  for (let index = 0; index < tiers.length; index++) {
    if (tiers[index] !== TIER.context) continue;
    tiers[index] = FOREIGN.test(lines.head(index, 300)) ? TIER.repeat : TIER.notice;
  }
  return tiers;
}
