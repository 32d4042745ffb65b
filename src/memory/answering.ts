import type { Memories, MemoryHit, Scope } from "../store/memories/memories.js";
import { areNearlyEqual, fingerprint } from "./facts/duplicates.js";
import { matchesFilter } from "./filter.js";
import { matchedPassage, partOf } from "./matched-passage.js";
import type { Memory, Retrieved } from "./memory.js";
import { byScore, doubted, type Ranked } from "./ranking/rank.js";
import type { RetrieveRequest } from "./retrieve-request.js";
import { memoryOf } from "./row.js";
import { isDisclaimed } from "./trust/disclaimed.js";

/** What answering needs from outside. */
export interface AnswerPorts {
  readonly memories: Memories;
  countTokens(memory: Memory): number;
}

interface Asked {
  readonly scope: Scope;
  readonly request: RetrieveRequest;
  readonly ports: AnswerPorts;
}

const DOUBT = 0.5;

export interface Answers {
  readonly found: Retrieved[];
  /** Whether some were left out as they say the same as others. */
  readonly isFolded: boolean;
}

/** The best that pass the filter and fit the budget. What was said again in the same words is told once. */
export async function answersAmong(ranked: readonly Ranked[], asked: Asked): Promise<Answers> {
  const { request, ports } = asked;
  const near = ranked.filter(({ hit, evidence }) => evidence.score > 0 && similarityOf(hit) >= request.threshold);
  const found: Retrieved[] = [];
  const said = new Set<string>();
  let isFolded = false;
  let tokens = 0;
  for (let from = 0; from < near.length && found.length < request.limit; from += 2 * request.limit) {
    const page = await remembered(near.slice(from, from + 2 * request.limit), asked);
    const wanted = page.filter(({ memory }) => matchesFilter(memory, request.where));
    const once = eachOnce(wanted, said);
    isFolded ||= once.length < wanted.length;
    for (const one of once) {
      if (found.length === request.limit) break;
      const fitting = fitted(retrievedOf(one), request.maxTokens - tokens, ports);
      if (fitting === undefined) continue;
      tokens += fitting.tokens;
      found.push(fitting.retrieved);
    }
  }
  return { found: found.sort((a, b) => b.score - a.score), isFolded };
}

function retrievedOf({ memory, ranked: { evidence, hit } }: Remembered): Retrieved {
  const passage = matchedPassage(memory, hit);
  const { score } = evidence;
  return { ...memory, score, similarity: similarityOf(hit), evidence, ...(passage !== undefined && { passage }) };
}

/** A memory within its room: the whole, or the passage that matched; undefined where neither fits. */
function fitted(retrieved: Retrieved, room: number, { countTokens }: AnswerPorts) {
  if (room === Infinity) return { retrieved, tokens: 0 };
  const { passage } = retrieved;
  const forms = passage === undefined ? [retrieved] : [retrieved, partOf(retrieved, passage)];
  for (const form of forms) {
    const tokens = countTokens(form);
    if (tokens <= room) return { retrieved: form, tokens };
  }
  return undefined;
}

interface Remembered {
  readonly ranked: Ranked;
  readonly memory: Memory;
}

/** Of those that somebody said in the same words the newest, at the place of the best. */
function eachOnce(page: readonly Remembered[], said: Set<string>): Remembered[] {
  const kept = new Map<string, Remembered>();
  for (const one of page) {
    const { ranked, memory } = one;
    const key = JSON.stringify([ranked.scope, memory.speaker, fingerprint(memory.content)]);
    const before = kept.get(key);
    if (before === undefined && !said.has(key)) kept.set(key, one);
    else if (before !== undefined && memory.at > before.memory.at) kept.set(key, { ...before, memory });
  }
  for (const key of kept.keys()) said.add(key);
  return [...kept.values()];
}

/** What candidates say, in the order that follows from it: a text that disclaims itself, or only asks the same, counts less. */
async function remembered(page: readonly Ranked[], { scope, request, ports }: Asked): Promise<Remembered[]> {
  const ids = page.map(({ hit }) => hit!.id);
  const rows = new Map((await ports.memories.get(scope, ids)).map((row) => [row.id, row]));
  return page
    .flatMap((ranked) => {
      const row = rows.get(ranked.hit!.id);
      if (row === undefined) return [];
      const memory = memoryOf(row);
      const isDoubtful = isDisclaimed(memory.content) || asksTheSame(memory, request.question);
      return [{ memory, ranked: isDoubtful ? doubted(ranked, DOUBT) : ranked }];
    })
    .sort((a, b) => byScore(a.ranked, b.ranked));
}

/** Who asked the same before has not told the answer by that. */
const asksTheSame = (memory: Memory, question: string): boolean =>
  memory.content.trimEnd().endsWith("?") && areNearlyEqual(spokenIn(memory), question);

/** A text without the name of its speaker before it. */
const spokenIn = ({ content, speaker = "" }: Memory): string =>
  speaker !== "" && content.startsWith(`${speaker}:`) ? content.slice(speaker.length + 1) : content;

export const similarityOf = (hit: MemoryHit | undefined): number => Math.max(0, ...Object.values(hit?.cosines ?? {}));
