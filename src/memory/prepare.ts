import { invalidOption } from "../errors.js";
import type { Scope } from "../store/memories/memories.js";
import { checkContent, checkEntries, checkId, checkTags, checkText, checkTime, metadataOf } from "./check-input.js";
import { factsOf } from "./facts/facts-of.js";
import { keptOf } from "./facts/off-record.js";
import { textKeys } from "./keys.js";
import type { EntryReference, MemoryFact, MemoryInput } from "./memory.js";
import { isAgent, isTool } from "./ranking/asked-speaker.js";
import { Mask } from "./trust/mask.js";
import { type MemorySource, SOURCES } from "./trust/source.js";

/** A text that has been checked and read, ready to be compared with what is stored. */
export interface Prepared {
  readonly id: string;
  /** Whether the caller chose the id. */
  readonly named: boolean;
  readonly content: string;
  readonly time: number;
  readonly speaker: string;
  readonly thread: string;
  readonly source: MemorySource;
  readonly tags: readonly string[];
  readonly entries: readonly EntryReference[] | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly facts: readonly MemoryFact[];
  /** Kinds of secrets that were masked. */
  readonly redacted: readonly string[];
  /** Why nothing of it may be kept. */
  readonly refused: string | undefined;
  /** Keys to equal and nearly equal texts. */
  readonly textKeys: readonly string[];
}

export interface PrepareOptions {
  readonly scope: Scope;
  readonly now: number;
  newId(): string;
  /** Whether secrets are kept as they are. */
  readonly allowSecrets: boolean;
}

const CONVERSATION = "conversation";
const OFF_RECORD = "off the record";

/** Reads an input. What holds a secret is kept without it; what its author wants not kept is left out. */
export function prepare(input: MemoryInput, { scope, now, newId, allowSecrets }: PrepareOptions): Prepared {
  const said = checkContent(input.content);
  const source = sourceOf(input);
  const kept = source === "user" ? keptOf(said) : said;
  const mask = new Mask(allowSecrets);
  const content = mask.text(kept === "" ? said : kept);
  const speaker = mask.text(checkText(input.speaker, "speaker") ?? "");
  const thread = checkText(input.thread, "thread");
  const entries = checkEntries(input.entries);
  const sessions = entries?.map(({ session }) => session);
  return {
    id: input.id === undefined ? newId() : mask.id(checkId(input.id), sessions),
    named: input.id !== undefined,
    content,
    time: input.at === undefined ? now : checkTime(input.at, "at"),
    speaker,
    thread:
      thread === undefined ? (speaker === "" ? "" : (scope.session ?? CONVERSATION)) : mask.thread(thread, sessions),
    source,
    tags: checkTags(
      [...(scope.tags ?? []), ...(input.tags === undefined ? [] : checkTags(input.tags, "tags").map(mask.text))],
      "tags",
    ),
    entries,
    metadata: mask.fields(metadataOf(input)),
    facts: factsOf(content, { source, ...(speaker === "" ? {} : { speaker }) }),
    redacted: [...mask.kinds, ...(kept === said || kept === "" ? [] : [OFF_RECORD])],
    refused: kept === "" ? "Its author asks that it be not kept." : undefined,
    textKeys: textKeys(content, speaker),
  };
}

/** Said by the agent or a tool where the speaker is one; by the user unless something else is given. */
export function sourceOf({ speaker = "", source = sourceNamed(speaker) }: MemoryInput): MemorySource {
  if (SOURCES.includes(source)) return source;
  throw invalidOption({ option: "source", value: source, allowed: `one of ${SOURCES.join(", ")}` });
}

const sourceNamed = (speaker: string): MemorySource => (isAgent(speaker) ? "agent" : isTool(speaker) ? "tool" : "user");
