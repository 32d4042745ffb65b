import type { ObservationKind } from "./classify.js";
import { excerpt } from "./excerpt.js";
import { reduceBinary } from "./kinds/binary.js";
import { digestCommits } from "./kinds/commits.js";
import { scoreCompiler, tieToFiles } from "./kinds/compiler.js";
import { reduceDiff } from "./kinds/diff-digest.js";
import { reduceHtml } from "./kinds/html.js";
import { reduceJson } from "./kinds/json.js";
import { scanJson } from "./kinds/json-scan.js";
import { digestListing } from "./kinds/listing.js";
import { digestLog } from "./kinds/log.js";
import { scoreProse } from "./kinds/prose.js";
import { scoreSource } from "./kinds/source.js";
import { scoreStackTrace } from "./kinds/stack-trace.js";
import { scoreTable } from "./kinds/table.js";
import { scoreTestRun } from "./kinds/test-run.js";
import { scoreText } from "./kinds/text.js";
import { scoreTree } from "./kinds/tree.js";
import { isWide, reduceElements, scoreXml, XML_SHARES } from "./kinds/xml.js";
import type { CountTokens } from "./measure.js";
import { shortenText } from "./shorten-text.js";
import type { SourceLines } from "./source-lines.js";

export interface Reduction {
  readonly text: string;
  readonly linesOmitted: number;
}

export interface KindRequest {
  readonly text: string;
  readonly lines: SourceLines;
  /** Characters of the text before terminal control was taken out of it. */
  readonly sourceLength: number;
  readonly maxTokens: number;
  readonly count: CountTokens;
}

/** How lines are scored for an excerpt, and how much of the budget their tiers may take. */
interface ExcerptPolicy {
  readonly score: (lines: SourceLines, budget: Pick<KindRequest, "maxTokens" | "count">) => Uint8Array;
  /** Which lines are not shown without another; may lower tiers. */
  readonly tie?: (lines: SourceLines, tiers: Uint8Array) => Uint32Array;
  readonly tierShare?: number;
  readonly headShare?: number;
}

const POLICIES: Partial<Record<ObservationKind, ExcerptPolicy>> = {
  "test-run": { score: scoreTestRun, headShare: 0.15 },
  compiler: { score: scoreCompiler, tie: tieToFiles, headShare: 0.3 },
  "stack-trace": { score: scoreStackTrace },
  source: { score: scoreSource, tierShare: 0.7, headShare: 0.7 },
  prose: { score: scoreProse, tierShare: 0.7, headShare: 0.6 },
  xml: { score: scoreXml, ...XML_SHARES },
  table: { score: scoreTable, headShare: 0.6 },
  tree: { score: scoreTree, headShare: 0.6 },
};
const TEXT_POLICY: ExcerptPolicy = { score: scoreText, tierShare: 0.65 };

/** Reduces a text of a known kind. The result nearly always fits already; the caller makes sure. */
export function reduceKind(kind: ObservationKind, request: KindRequest): Reduction {
  const { text, lines } = request;
  if (kind === "binary") return { text: reduceBinary(request), linesOmitted: Math.max(0, lines.count - 2) };
  if (kind === "log" || kind === "json-lines") return digestLog({ ...request, kind });
  if (kind === "git-log") return digestCommits({ ...request, kind });
  if (kind === "diff") return reduceDiff(request);
  if (kind === "listing") return digestListing({ ...request, kind });
  if (kind === "html") return reduceHtml(request);
  if (kind === "xml" && isWide(text)) return reduceElements(kind, request);
  return reduceLines(kind, request);
}

function reduceLines(kind: ObservationKind, { text, lines, maxTokens, count }: KindRequest): Reduction {
  if (lines.count < 2) return { text: shortenText(text, { maxTokens, counter: count }), linesOmitted: 0 };
  const { score, tie, ...shares } = POLICIES[kind] ?? TEXT_POLICY;
  const tiers = score(lines, { maxTokens, count });
  const partners = tie?.(lines, tiers) ?? new Uint32Array(0);
  const request = { lines, tiers, partners, kind, maxTokens, count, ...shares };
  const { text: short, linesOmitted } = excerpt(request);
  return { text: short, linesOmitted };
}

/** Shorter JSON for a text that is JSON; undefined for any other. */
export function reduceJsonText(
  text: string,
  { maxTokens, count }: { maxTokens: number; count: CountTokens },
): string | undefined {
  if (!/^\s*[[{]/.test(text.slice(0, 1_000))) return undefined;
  const root = scanJson(text);
  return root === undefined ? undefined : reduceJson({ text, root, maxTokens, count });
}
