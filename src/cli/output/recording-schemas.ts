/** What `varve import` and `varve replay` print with `--json`. */
import { z } from "zod";

const count = z.int().nonnegative();
const amount = z.number().nonnegative();
const share = z.number().min(0).max(1).nullable();

const warning = z.object({ kind: z.string(), message: z.string(), count: count.optional(), line: count.optional() });
const file = z.object({
  file: z.string(),
  format: z.string(),
  conversations: count,
  warnings: z.array(warning),
});

/** Files that nothing was taken from, with the reason. */
const failed = z.array(z.object({ file: z.string(), code: z.string(), message: z.string(), hint: z.string() }));

export const importSchema = z.object({
  files: z.array(file),
  failed,
  sessions: z.array(z.object({ id: z.string(), file: z.string(), entries: count, model: z.string().nullable() })),
  skipped: z.array(z.string()),
  entries: count,
});

const cost = z.object({ plain: amount, cached: amount });

const figures = z.object({
  views: count,
  tokens: count,
  meanTokens: amount,
  cachedTokens: count,
  cachedShare: share,
  compactions: count,
  over: count,
  overShare: share,
  illegal: count,
  illegalShare: share,
  /** Identifiers that the agent used next and that were said before; those of them in the view. */
  needed: count,
  found: count,
  recall: share,
  /** The same of those that were last said more than a window before. */
  far: count,
  farFound: count,
  farInContext: count,
  farRecall: share,
  farContextShare: share,
  /** The whole history, sent each time. */
  fullTokens: count,
  fullCachedTokens: count,
  cost,
  fullCost: cost,
  milliseconds: amount,
});

const setting = z.object({
  strategy: z.string(),
  window: count,
  /** Null where it is varve's own. */
  trigger: z.number().nullable(),
  target: z.number().nullable(),
});

const conversation = figures.extend({
  file: z.string(),
  id: z.string(),
  messages: count,
  /** Tokens of the longest history that a call had. */
  longest: count,
  unfit: z.object({ step: count, reason: z.string() }).nullable(),
});

export const replaySchema = z.object({
  files: z.array(file),
  failed,
  /** Names the tokenizer and the prices; null where costs are in tokens of input. */
  model: z.string().nullable(),
  unit: z.enum(["USD", "tokens"]),
  runs: z.array(setting.extend({ unfit: count, total: figures, conversations: z.array(conversation) })),
  recommended: z.object({ ...setting.shape, rule: z.string() }).nullable(),
  /** Why nothing is recommended, where settings were compared. */
  reason: z.string().nullable(),
  /** Where the recommended settings were written, and the page. */
  applied: z.string().nullable(),
  html: z.string().nullable(),
});

export type ImportData = z.input<typeof importSchema>;
export type ReplayData = z.input<typeof replaySchema>;
