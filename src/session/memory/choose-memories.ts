import { isJunk } from "../../memory/auditing.js";
import { areNearlyEqual, bandsOf } from "../../memory/facts/duplicates.js";
import type { Retrieved } from "../../memory/memory.js";
import type { ScopedMemory } from "../../memory/scoped-memory.js";
import type { Entry } from "../../message/entry.js";
import type { View } from "../../view/view.js";
import type { SessionMemorySettings } from "./memory-options.js";
import { saidIn } from "./said.js";
import { ShownTexts } from "./shown-texts.js";

export interface ChoiceInput {
  readonly session: string;
  readonly memory: ScopedMemory;
  readonly settings: SessionMemorySettings;
  readonly entries: readonly Entry[];
  readonly view: View;
}

/** Characters of a question that are asked with: its beginning and its end. */
const ASKED = 2_000;
/** How many memories are asked for, until enough are left that the view does not show anyhow. */
const REACHES = [60, 300, 600];

/** The memories that a request asks for, best first: those that the view does not show anyhow, each text once. */
export async function chooseMemories(request: Entry, input: ChoiceInput): Promise<readonly Retrieved[]> {
  const question = asked(saidIn(request.message));
  if (isJunk(question)) return [];
  const { memory, settings } = input;
  const { limit, similarityThreshold } = settings;
  const shown = new ShownTexts(input);
  const options = { relevant: true, ...(similarityThreshold !== undefined && { similarityThreshold }) };
  let chosen: readonly Retrieved[] = [];
  for (const reach of REACHES) {
    const wanted = Math.max(reach, limit);
    const found = await memory.retrieve(question, { ...options, limit: wanted });
    chosen = eachOnce(found.filter((each) => !onlyAsks(each.content) && !shown.has(each)));
    if (chosen.length >= limit || found.length < wanted) break;
  }
  return chosen.slice(0, limit);
}

/** Of those that say the same the newest, at the place of the best. */
function eachOnce(memories: readonly Retrieved[]): readonly Retrieved[] {
  const places = new Map<string, number[]>();
  const kept: Retrieved[] = [];
  for (const memory of memories) {
    const bands = bandsOf(memory.content);
    const candidates = bands.flatMap((band) => places.get(band) ?? []);
    const at = candidates.find((each) => areNearlyEqual(kept[each]!.content, memory.content));
    if (at !== undefined) {
      if (memory.at > kept[at]!.at) kept[at] = memory;
      continue;
    }
    for (const band of bands) places.set(band, [...(places.get(band) ?? []), kept.length]);
    kept.push(memory);
  }
  return kept;
}

const QUESTION =
  /^(?:who|whom|whose|what|when|where|which|why|how|is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may)\b[^.!?]*\?$/i;

/** A question answers none. */
const onlyAsks = (content: string): boolean => content.length < ASKED && QUESTION.test(content.trim());

const asked = (question: string): string =>
  question.length <= ASKED ? question : `${question.slice(0, ASKED / 2)}\n${question.slice(-ASKED / 2)}`.toWellFormed();
