import { invalidOption } from "../errors.js";
import type { Scope } from "../store/memories/memories.js";
import { checkContent, checkTags, checkText, checkTime, metadataOf } from "./check-input.js";
import { factsOf } from "./facts/facts-of.js";
import { requestsIn } from "./facts/requests.js";
import { textKeys } from "./keys.js";
import type { EntryReference, MemoryFact, MemoryInput } from "./memory.js";
import { isAgent } from "./ranking/asked-speaker.js";
import { findSecrets, redact } from "./trust/secrets.js";
import type { MemorySource } from "./trust/source.js";

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

const SOURCES: readonly string[] = ["user", "agent", "tool", "import"] satisfies readonly MemorySource[];
const CONVERSATION = "conversation";

/** Reads an input. Text that holds a secret is kept without it; text that its author wants not kept is refused. */
export function prepare(input: MemoryInput, { scope, now, newId, allowSecrets }: PrepareOptions): Prepared {
  const said = checkContent(input.content);
  const secrets = allowSecrets ? [] : findSecrets(said);
  const content = secrets.length === 0 ? said : redact(said, secrets);
  const speaker = checkText(input.speaker, "speaker") ?? "";
  const source = sourceOf(input);
  return {
    id: checkText(input.id, "id") ?? newId(),
    named: input.id !== undefined,
    content,
    time: input.at === undefined ? now : checkTime(input.at, "at"),
    speaker,
    thread: checkText(input.thread, "thread") ?? (speaker === "" ? "" : (scope.session ?? CONVERSATION)),
    source,
    tags: checkTags(
      [...(scope.tags ?? []), ...(input.tags === undefined ? [] : checkTags(input.tags, "tags"))],
      "tags",
    ),
    entries: input.entries,
    metadata: metadataOf(input),
    facts: factsOf(content, { source, ...(speaker === "" ? {} : { speaker }) }),
    redacted: [...new Set(secrets.map(({ kind }) => kind))],
    refused: source === "user" && requestsIn(said).doNotStore ? "Its author asks that it be not kept." : undefined,
    textKeys: textKeys(content, speaker),
  };
}

/** Said by the agent where the speaker is one; by the user unless something else is given. */
export function sourceOf({
  speaker,
  source = speaker !== undefined && isAgent(speaker) ? "agent" : "user",
}: MemoryInput): MemorySource {
  if (SOURCES.includes(source)) return source;
  throw invalidOption({ option: "source", value: source, allowed: `one of ${SOURCES.join(", ")}` });
}
