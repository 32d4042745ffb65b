import { z } from "zod";
import { parseDocument } from "./parse-document.js";

/**
 * The context of one session as a document that people can read: the fields and names are a format that other programs
 * read and write, so they are neither renamed nor added to. Times are whole seconds since the epoch.
 */
const seconds = z.number().nonnegative();
const count = z.int().nonnegative();
const openRecord = z.record(z.string(), z.unknown());

/** The schema of a context document. */
export const contextDocumentSchema = z.strictObject({
  session_id: z.string().min(1),
  system_state: z.strictObject({ last_workspace: z.string().nullable(), preferences: openRecord }),
  facts: z.array(z.string()),
  recent_history: z.array(
    z.strictObject({
      timestamp: seconds,
      role: z.enum(["system", "user", "assistant", "tool"]),
      content: z.string(),
      /** Absent or null where nobody counted. */
      token_count: count.nullable().optional(),
    }),
  ),
  long_term_summary: z.string(),
  active_tasks: z.array(
    z.strictObject({
      id: z.string(),
      description: z.string(),
      /** "Running", "Completed", or any other word of the agent's. */
      status: z.string(),
      progress: z.number(),
      created_at: seconds,
      updated_at: seconds,
    }),
  ),
  tool_stats: z.strictObject({ total_calls: count, by_tool: z.record(z.string(), count), failures: count }),
  last_known_environment: z.strictObject({
    workspace: z.string().nullable(),
    last_update: seconds.nullable(),
    system_snapshot: openRecord,
  }),
  token_usage: z.strictObject({ total_input: count, total_output: count, by_session: count }),
});

export type ContextDocument = z.infer<typeof contextDocumentSchema>;
export type HistoryEntry = ContextDocument["recent_history"][number];
export type ActiveTask = ContextDocument["active_tasks"][number];

/**
 * The document of a session that has only begun.
 *
 * @example
 * ```ts
 * const document = emptyContextDocument("user:agent:1");
 * document.facts.push("User speaks English");
 * ```
 */
export function emptyContextDocument(sessionId: string): ContextDocument {
  return parseContextDocument({
    session_id: sessionId,
    system_state: { last_workspace: null, preferences: {} },
    facts: [],
    recent_history: [],
    long_term_summary: "",
    active_tasks: [],
    tool_stats: { total_calls: 0, by_tool: {}, failures: 0 },
    last_known_environment: { workspace: null, last_update: null, system_snapshot: {} },
    token_usage: { total_input: 0, total_output: 0, by_session: 0 },
  });
}

/**
 * Checks that a value is a context document, such as the parsed text of a file. The error says where it is not, and
 * what stands there.
 *
 * @example
 * ```ts
 * const document = parseContextDocument(JSON.parse(text));
 * document.long_term_summary;
 * ```
 */
export function parseContextDocument(value: unknown): ContextDocument {
  return parseDocument(contextDocumentSchema, value, {
    name: "context document",
    hint: "Mend the field by hand, or set the file aside and start from emptyContextDocument(sessionId).",
  });
}
