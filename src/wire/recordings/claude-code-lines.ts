/** The tree that the lines of a Claude Code session form. */
import { isObject, listField, textField, type WireObject } from "./fields.js";
import type { Notes } from "./notes.js";

export interface ClaudeLine {
  readonly uuid: string | undefined;
  /** null for a root; undefined where the line does not speak of parents, and follows the one before it. */
  readonly parent: string | null | undefined;
  readonly logicalParent: string | undefined;
  readonly session: string | undefined;
  readonly agent: string | undefined;
  readonly sidechain: boolean;
  /** The line goes on from the one before it though it is a root. */
  readonly continues: boolean;
  readonly summary: boolean;
  readonly message: WireObject | undefined;
  readonly time: number | undefined;
}

export interface LineGroup {
  readonly sidechain: boolean;
  readonly lines: ClaudeLine[];
}

/** The lines of each conversation: sessions that no parent connects, and each subagent by itself. */
export function groupLines(lines: readonly ClaudeLine[]): LineGroup[] {
  const groups = new Map<string, LineGroup>();
  const keys = new GroupKeys();
  for (const line of lines) {
    const key = keys.of(line);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { sidechain: line.sidechain, lines: [line] });
    else group.lines.push(line);
  }
  return [...groups.values()];
}

const AGENT = "agent ";

class GroupKeys {
  readonly #ofLine = new Map<string, string>();
  readonly #ofSession = new Map<string, string>();
  #latest: string | undefined;

  of(line: ClaudeLine): string {
    const key = line.sidechain ? this.#agentKey(line) : this.#sessionKey(line);
    if (line.uuid !== undefined) this.#ofLine.set(line.uuid, key);
    if (line.sidechain) return key;
    this.#latest = key;
    this.#ofSession.set(line.session ?? "", key);
    return key;
  }

  #agentKey(line: ClaudeLine): string {
    const inherited = this.#inherited(line);
    if (line.agent !== undefined) return `${AGENT}${line.agent}`;
    return inherited?.startsWith(AGENT) ? inherited : `${AGENT}${line.uuid}`;
  }

  #sessionKey(line: ClaudeLine): string {
    const inherited = this.#inherited(line);
    if (inherited !== undefined && !inherited.startsWith(AGENT)) return inherited;
    const session = line.session ?? "";
    return this.#ofSession.get(session) ?? (line.continues ? this.#latest : undefined) ?? `session ${session}`;
  }

  #inherited({ parent, logicalParent }: ClaudeLine): string | undefined {
    const named = parent ?? logicalParent;
    return named === undefined ? undefined : this.#ofLine.get(named);
  }
}

/** The lines from the root to the last message, with all results and blocks that belong to them, in file order. */
export function branchOf(lines: readonly ClaudeLine[], notes: Notes): ClaudeLine[] {
  const on = walk(lines);
  addStrays(lines, on);
  const branch = lines.filter((line, at) => line.message !== undefined && on.has(at));
  const left = lines.filter((line) => line.message !== undefined).length - branch.length;
  if (left > 0) notes.count("branch", (count) => `${count} messages of other branches were left out.`, left);
  return branch;
}

function walk(lines: readonly ClaudeLine[]): Set<number> {
  const places = new Map(lines.map((line, at) => [line.uuid, at] as const));
  const on = new Set<number>();
  let at = lines.findLastIndex((line) => line.message !== undefined);
  while (at >= 0 && !on.has(at)) {
    on.add(at);
    at = parentPlace(lines[at] as ClaudeLine, at, places);
  }
  return on;
}

/** A parent that the file does not have, or that a compaction took away, is taken to be the line before. */
function parentPlace(line: ClaudeLine, at: number, places: ReadonlyMap<string | undefined, number>): number {
  const named = line.parent ?? line.logicalParent;
  const place = named === undefined ? undefined : places.get(named);
  if (place !== undefined) return place;
  return line.parent === null && !line.continues ? -1 : at - 1;
}

/** Blocks of one answer and the results of its calls hang beside one another, where the way to the root misses them. */
function addStrays(lines: readonly ClaudeLine[], on: Set<number>): void {
  const answers = new Set<string>();
  const calls = new Set<string>();
  for (const at of on) noteAnswer(lines[at], answers);
  lines.forEach((line, at) => {
    const id = answerId(line);
    if (id !== undefined && answers.has(id)) on.add(at);
  });
  for (const at of on) for (const id of callIds(lines[at])) calls.add(id);
  for (const at of on) for (const id of resultIds(lines[at])) calls.delete(id);
  lines.forEach((line, at) => {
    const ids = resultIds(line);
    if (on.has(at) || ids.length === 0 || !ids.every((id) => calls.has(id))) return;
    on.add(at);
    for (const id of ids) calls.delete(id);
  });
}

function noteAnswer(line: ClaudeLine | undefined, answers: Set<string>): void {
  const id = answerId(line);
  if (id !== undefined) answers.add(id);
}

export const answerId = (line: ClaudeLine | undefined): string | undefined =>
  line?.message?.role === "assistant" ? textField(line.message.id) : undefined;

const callIds = (line: ClaudeLine | undefined): string[] => blockIds(line, "tool_use", "id");
export const resultIds = (line: ClaudeLine | undefined): string[] => blockIds(line, "tool_result", "tool_use_id");

function blockIds(line: ClaudeLine | undefined, type: string, field: string): string[] {
  const ids = listField(line?.message?.content).map((block) =>
    isObject(block) && block.type === type ? textField(block[field]) : undefined,
  );
  return ids.filter((id) => id !== undefined);
}
