/**
 * What commands print with `--json`, by their names. Within version 1 fields may be added; those that are there stay.
 */
import { z } from "zod";
import { importSchema, replaySchema } from "./recording-schemas.js";

const count = z.int().nonnegative();
const share = z.number().nonnegative();
const time = z.number();
const maybe = <T extends z.ZodType>(schema: T) => schema.nullable();

const budget = z.object({ window: count, reserve: count, usable: count, trigger: count, target: count });
/** The memories that a view shows. */
const recalled = z.object({ ids: z.array(z.string()).readonly(), tokens: count }).optional();
const block = z.object({ name: z.enum(["system", "tools", "context", "memory", "history"]), tokens: count, recalled });
const run = z.object({ from: z.string(), to: z.string(), entries: count });

const receiptSchema = z.object({
  id: z.string(),
  strategy: z.string(),
  reason: z.string(),
  tokensBefore: count,
  tokensAfter: count,
  leftOut: run.optional(),
  items: z.array(run.extend({ fate: z.string(), reason: z.string(), tokensBefore: count, tokensAfter: count })),
  recalled,
  recover: z.string(),
});

const part = z.number().min(0).max(1);
/** How important an entry is, and why. */
const entryScore = z.object({
  entry: z.string(),
  score: part,
  parts: z.object({ names: part, words: part, label: part, reply: part }),
  pinned: z.boolean(),
});
const scores = z.array(entryScore).readonly();

const info = z.object({ id: z.string(), entries: count, created: time, updated: time, bytes: count });
const checkpoint = z.object({ id: z.string(), name: z.string(), entries: count, time, automatic: z.boolean() });
const pin = z.object({ entry: z.string(), by: z.enum(["user", "agent"]), tokens: count });
const entry = z.object({ id: z.string(), time, role: z.string(), text: z.string() });
const source = z.object({ kind: z.enum(["flag", "environment", "project", "user", "default"]) }).loose();
const session = z.string();
const fault = z.object({ code: z.string(), message: z.string(), hint: z.string(), details: z.object({}).loose() });
const memory = z.object({
  id: z.string(),
  content: z.string(),
  scope: z.object({
    tenant: z.string().optional(),
    user: z.string().optional(),
    agent: z.string().optional(),
    project: z.string().optional(),
    session: z.string().optional(),
    tags: z.array(z.string()).optional(),
  }),
  at: z.string(),
  validUntil: maybe(z.string()),
  source: z.enum(["user", "agent", "tool", "import"]),
  speaker: maybe(z.string()),
  times: count,
  metadata: z.record(z.string(), z.unknown()),
});

const status = z.object({
  session: info,
  strategy: z.string(),
  /** False where the view was made for this status, without the system prompt and the tools of the program. */
  recorded: z.boolean(),
  budget,
  tokens: count,
  percentUsed: share,
  blocks: z.array(block),
  segments: z.array(z.object({ kind: z.string(), tokens: count })),
  leftOut: count,
  counter: z.object({ name: z.string(), errorBound: share, factor: z.number(), reports: count }),
  /** Over all views of the session; null where none was recorded. */
  cache: maybe(z.object({ views: count, sent: count, repeated: count, share })),
  next: z.object({ trigger: count, tokensLeft: count, entriesLeft: maybe(count) }),
  /** How the summariser fails; null while it does not. */
  summariser: maybe(
    z.object({
      since: count,
      latest: count,
      times: count,
      code: z.string(),
      message: z.string(),
      fallback: z.enum(["extractive", "earlier"]),
    }),
  ),
  /** Entries that came after the view. */
  since: count,
  pins: z.array(z.string()),
  checkpoints: count,
  /** With --scores; null where the strategy does not go by them. */
  scores: maybe(scores).optional(),
});

/** Statements that notes show, each with the entry that it comes from. */
const notes = z.object({
  version: z.literal(1),
  /** Positions of the entries that they cover, the end not included. */
  from: count,
  to: count,
  notes: z.array(z.object({ entry: z.string(), at: count, kind: z.string(), text: z.string(), tokens: count }).loose()),
});

const compacted = z.object({ session, receipt: receiptSchema });

/** By the name of the command, without the envelope. */
const DATA = {
  demo: z.object({
    steps: z.array(z.object({ step: count, tokens: count, blocks: z.array(block), leftOut: count }).loose()),
    receipts: z.array(receiptSchema.extend({ step: count })),
    summary: z.object({ window: count, views: count, viewsOverWindow: count }).loose(),
  }),
  "context status": status,
  "context summarize": compacted,
  "context compress": compacted,
  "context explain": z.object({ session, receipt: maybe(receiptSchema.extend({ scores: scores.optional() })) }),
  "context undo": z.object({ session, undone: receiptSchema }),
  "context checkpoint": z.object({ session, made: maybe(checkpoint), checkpoints: z.array(checkpoint) }),
  "context restore": z.object({ session, checkpoint, removed: count, added: count }),
  "context search": z.object({
    session,
    query: z.string(),
    hits: z.array(entry.extend({ score: z.number(), excerpt: z.string() }).omit({ text: true })),
  }),
  "context expand": z.object({
    session,
    id: z.string(),
    text: z.string(),
    offset: count,
    next: maybe(count),
    total: count,
    entries: z.object({ from: z.string(), to: z.string() }),
  }),
  "context pin": z.object({ session, pinned: maybe(pin), gaveWay: z.array(pin), pins: z.array(pin) }),
  "context unpin": z.object({ session, unpinned: z.string(), pins: z.array(pin) }),
  "context receipts": z.object({ session, receipts: z.array(receiptSchema) }),
  "session list": z.object({ sessions: z.array(info), total: count }),
  "session show": z.object({
    session: info,
    options: z.object({}).loose(),
    latest: maybe(z.object({ tokens: count, leftOut: count }).loose()),
    checkpoints: z.array(checkpoint),
    pins: z.array(z.string()),
    entries: z.array(entry),
  }),
  "session delete": z.object({ deleted: z.array(z.object({ id: z.string(), entries: count, bytes: count })) }),
  "session export": z.object({ file: z.string(), sessions: count, entries: count }),
  "session import": z.object({ sessions: z.array(z.string()), skipped: z.array(z.string()), entries: count }),
  "session fork": z.object({ from: z.string(), id: z.string(), entries: count, checkpoint: maybe(z.string()) }),
  notes: z.object({ session, file: z.string(), tokens: count, text: z.string(), notes }),
  "memory add": z.object({
    id: z.string(),
    status: z.enum(["stored", "merged", "refused"]),
    reason: maybe(z.string()),
    superseded: z.array(z.object({ id: z.string(), slot: z.string(), value: z.string() })),
    redacted: z.array(z.string()),
  }),
  "memory search": z.object({
    query: z.string(),
    memories: z.array(
      memory.extend({ score: z.number(), similarity: z.number(), evidence: z.record(z.string(), z.number()) }),
    ),
  }),
  "memory list": z.object({ memories: z.array(memory), next: maybe(z.string()) }),
  "memory history": z.object({ id: z.string(), versions: z.array(memory) }),
  "memory update": z.object({ id: z.string(), versions: z.array(memory) }),
  "memory forget": z.object({
    forgotten: z.array(z.string()),
    receipts: z.array(
      z.object({
        at: z.string(),
        forgotten: z.array(z.string()),
        removed: z.object({ versions: count, facts: count, passages: count }),
        sessions: z.array(z.object({ session, entries: count, documents: count })),
        kept: z.array(session),
        rewritten: z.array(z.string()),
        proof: z.object({ asked: count, found: z.literal(0), remains: z.array(z.string()) }),
      }),
    ),
  }),
  "memory audit": z.object({
    memories: count,
    duplicates: count,
    stale: count,
    orphaned: count,
    leftovers: count,
    junk: count,
    unscoped: count,
    withoutVectors: count,
    mended: maybe(z.object({ duplicates: count, stale: count, leftovers: count, junk: count })),
    examples: z.record(z.string(), z.array(z.string())),
  }),
  "memory export": z.object({ file: z.string(), memories: count }),
  "memory import": z.object({ imported: count }),
  "memory embed": z.object({ done: count, total: count }),
  "store verify": z.object({ sessions: count, entries: count, memories: count, faults: z.array(fault) }),
  /** Without a backup nothing was changed. */
  "store repair": z.object({ backup: maybe(z.string()), faults: z.array(fault) }),
  "store backup": z.object({ target: z.string() }),
  import: importSchema,
  replay: replaySchema,
  "config show": z.object({
    files: z.object({ project: maybe(z.string()), plugin: maybe(z.string()), user: maybe(z.string()) }),
    values: z.array(z.object({ path: z.string(), value: z.unknown(), source })),
    notes: z.array(z.string()),
  }),
  "config trust": z.object({ file: z.string(), trusted: z.boolean(), wants: z.array(z.string()) }),
  "config init": z.object({ file: z.string(), config: z.object({}).loose() }),
  "config schema": z.object({ schema: z.object({}).loose() }),
  doctor: z.object({
    checks: z.array(
      z.object({
        name: z.string(),
        status: z.enum(["ok", "warning", "failed"]),
        text: z.string(),
        remedy: maybe(z.string()),
      }),
    ),
  }),
  chat: z.object({
    session,
    model: z.string(),
    answer: z.string(),
    finish: z.enum(["stop", "length", "refused", "other", "tool-calls", "interrupted", "steps"]),
    /** Names of the tools that were called, in order. */
    tools: z.array(z.string()),
    compactions: count,
    /** What the provider counted; the cost is in US dollars, null where the model's prices are not known. */
    usage: z.object({
      requests: count,
      inputTokens: count,
      outputTokens: count,
      cacheReadTokens: count,
      cost: maybe(z.number().nonnegative()),
    }),
    view: z.object({ tokens: count, usable: count }),
  }),
  completions: z.object({ shell: z.string(), script: z.string() }),
} as const;

export type ReceiptData = z.input<typeof receiptSchema>;
export type OutputName = keyof typeof DATA;
/** The data of a command's document. */
export type Output<Name extends OutputName> = z.input<(typeof DATA)[Name]>;

/** What any command prints with `--json` where it fails. */
export const failureSchema = z.object({
  varve: z.literal(1),
  command: z.string(),
  error: z.object({ code: z.string(), message: z.string(), hint: z.string(), details: z.object({}).loose() }),
});

/** The schemas of whole documents, by the names of the commands. */
export const outputSchemas: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries(DATA).map(([name, data]) => [
    name,
    z.object({ varve: z.literal(1), command: z.literal(name), ...data.shape }),
  ]),
);
