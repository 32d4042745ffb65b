import type { Memory } from "../../../memory/memory.js";
import type { Scope } from "../../../store/memories/memories.js";
import type { Output } from "../../output/schemas.js";
import { wrap } from "../../terminal/format.js";
import type { Screen } from "../../terminal/screen.js";

export type MemoryData = Output<"memory list">["memories"][number];

/** A memory as `--json` prints it. */
export const memoryData = ({
  id,
  content,
  scope,
  at,
  validUntil,
  source,
  speaker,
  times,
  metadata,
}: Memory): MemoryData => ({
  id,
  content,
  scope: scopeData(scope),
  at,
  validUntil: validUntil ?? null,
  source,
  speaker: speaker ?? null,
  times,
  metadata: { ...metadata },
});

function scopeData({ tags, ...owners }: Scope): MemoryData["scope"] {
  return tags === undefined ? owners : { ...owners, tags: [...tags] };
}

/** A memory as people read it: what it says below its id, date and origin. */
export function memoryLines(memory: MemoryData, screen: Screen, note = ""): string[] {
  const { id, content, at, validUntil, source, speaker } = memory;
  const until = validUntil === null ? "" : ` to ${validUntil.slice(0, 10)}`;
  const about = [note, `${at.slice(0, 10)}${until}`, speaker ?? source].filter((part) => part !== "").join(", ");
  return [
    ` ${screen.ink.bold(id)} ${screen.ink.tone("muted", about)}`,
    ...wrap(content, Math.max(12, screen.width() - 4)).map((line) => `   ${line}`),
  ];
}
