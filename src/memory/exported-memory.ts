import { z } from "zod";
import { VarveError } from "../errors.js";
import { type Scope, scopeKey } from "../store/memories/memories.js";
import { checkContent, checkId, checkScope, checkTime } from "./check-input.js";
import { factsOf } from "./facts/facts-of.js";
import type { MemoryFact } from "./memory.js";
import type { MemoryBody } from "./row.js";
import { Mask } from "./trust/mask.js";

/** Milliseconds that a date can tell. */
const time = z.number().min(-8.64e15).max(8.64e15);
const date = z.string().refine((text) => !Number.isNaN(Date.parse(text)));
const source = z.enum(["user", "agent", "tool", "import"]);

/** A fact has what a later release may add to it. */
const fact = z.looseObject({
  text: z.string(),
  kind: z.enum(["fact", "preference", "decision", "event"]),
  slot: z.string().exactOptional(),
  value: z.string().exactOptional(),
  closes: z.string().exactOptional(),
  update: z.literal(true).exactOptional(),
  date: z.string().exactOptional(),
  validUntil: date.exactOptional(),
  supersededBy: z.string().exactOptional(),
});

const body = z.object({
  id: z.string(),
  content: z.string(),
  stored: time,
  source,
  facts: z.array(fact).exactOptional(),
  times: z.int().min(1).exactOptional(),
  entries: z.array(z.object({ session: z.string().min(1), sequence: z.int().min(0) })).exactOptional(),
  metadata: z.record(z.string(), z.unknown()).exactOptional(),
  version: z.int().min(1).exactOptional(),
});

const exportedMemory = z.object({
  scope: z.record(z.string(), z.unknown()),
  at: z.string(),
  validUntil: z.string().exactOptional(),
  speaker: z.string().exactOptional(),
  thread: z.string().exactOptional(),
  /** Whether it is a former version. */
  former: z.literal(true).exactOptional(),
  body,
});

/** A memory as a line of an export. */
export interface ExportedMemory extends Omit<z.infer<typeof exportedMemory>, "scope" | "body"> {
  readonly scope: Scope;
  readonly body: MemoryBody;
}

/** A memory out of a line, ready to be compared with what is stored. */
export interface TakenMemory {
  /** `scopeKey` of its owners. */
  readonly scope: string;
  readonly tags: readonly string[];
  readonly time: number;
  readonly until: number | undefined;
  readonly speaker: string;
  readonly thread: string;
  readonly former: boolean;
  readonly body: MemoryBody;
}

export interface Taking {
  readonly scope: Scope;
  /** Whether the line is believed in who said it, what is known from it, where it came from, and whose it is. */
  readonly trusted: boolean;
  readonly allowSecrets: boolean;
}

/** Reads a line; throws where it is none. */
export function takenMemory(line: unknown, { scope, trusted, allowSecrets }: Taking): TakenMemory {
  const { scope: owners, at, validUntil, speaker = "", thread = "", former = false, body: said } = parsed(line);
  const mask = new Mask(allowSecrets);
  const tags = [...tagsOf(owners), ...(scope.tags ?? [])].map(mask.text);
  const whose = checkScope({ ...(trusted ? owners : {}), ...scope, tags });
  const sessions = said.entries?.map(({ session }) => session);
  mask.id(checkId(said.id), sessions);
  const masked = maskedBody({ ...said, content: checkContent(said.content) }, mask);
  return {
    scope: scopeKey(whose),
    tags: whose.tags ?? [],
    time: checkTime(at, "at"),
    until: validUntil === undefined ? undefined : checkTime(validUntil, "validUntil"),
    speaker: mask.text(speaker),
    thread: mask.thread(thread, sessions),
    former,
    body: trusted ? masked : unbelieved(masked, speaker),
  };
}

function parsed(line: unknown): z.infer<typeof exportedMemory> {
  const { data, error } = exportedMemory.safeParse(line);
  if (error === undefined) return data;
  const { path, message } = error.issues[0]!;
  throw new VarveError({
    code: "invalid-document",
    message: `${path.join(".")}: ${message}.`,
    hint: "Give the lines of an export as they were written.",
  });
}

const tagsOf = ({ tags = [] }: Readonly<Record<string, unknown>>): string[] => z.array(z.string()).parse(tags);

function maskedBody({ facts, metadata, ...rest }: z.infer<typeof body>, mask: Mask): MemoryBody {
  return {
    ...rest,
    content: mask.text(rest.content),
    ...(facts === undefined ? {} : { facts: facts.map((one) => maskedFact(one, mask)) }),
    ...(metadata === undefined ? {} : { metadata: mask.fields(metadata) }),
  };
}

/** Who has a slot is found out among the memories that are there. */
function maskedFact({ repeated: _, ...said }: z.infer<typeof fact>, mask: Mask): MemoryFact {
  return {
    ...said,
    text: mask.text(said.text),
    ...(said.value === undefined ? {} : { value: mask.text(said.value) }),
    ...(said.closes === undefined ? {} : { closes: mask.text(said.closes) }),
  };
}

/** What a line says by itself: it came from no session, and nobody here said it. */
function unbelieved({ facts: _, entries: __, ...rest }: MemoryBody, speaker: string): MemoryBody {
  const facts = factsOf(rest.content, { source: "import", ...(speaker === "" ? {} : { speaker }) });
  return { ...rest, source: "import", ...(facts.length === 0 ? {} : { facts }) };
}
