import { invalidOption, VarveError } from "../errors.js";
import { isObject, type UnknownFields } from "../message/plain-value.js";
import type { ToolDefinition } from "../message/types.js";
import type { Session } from "./session.js";

/** A tool that an agent's model may call to look into what its view left out. */
export interface ContextTool extends ToolDefinition {
  readonly name: "context_expand" | "context_search";
  readonly description: string;
  readonly inputSchema: object;
  /** Carries a call out; what it returns is the result for the model. Faults are told, not thrown. */
  execute(input: unknown): string;
}

const FEW = 5;

/**
 * The tools with which a model drills down: from a digest to the original, and from a question to whoever said it.
 *
 * @example
 * ```ts
 * const tools = contextTools(session);
 * const view = await session.view({ tools });
 * tools.find((tool) => tool.name === "context_search")?.execute({ query: "that port number" });
 * ```
 */
export function contextTools(session: Session): readonly ContextTool[] {
  if (!isObject(session) || typeof session.expand !== "function" || typeof session.search !== "function")
    throw invalidOption({ option: "session", value: session, allowed: "a session, as varve.session() returns it" });
  return [expandTool(session), searchTool(session)];
}

function expandTool(session: Session): ContextTool {
  return {
    name: "context_expand",
    description: "Shows the original text behind a digest (such as d3) or of an entry (such as e42), page by page.",
    inputSchema: {
      type: "object",
      properties: {
        id: { type: "string", description: "Id of the digest or entry" },
        offset: { type: "integer", minimum: 0, description: "Where to go on, from the previous page" },
        limit: { type: "integer", minimum: 1, description: "Characters at most; as many as fit unless given" },
      },
      required: ["id"],
    },
    execute: (input) =>
      told(() => {
        const { id, offset, limit } = fieldsOf(input);
        const page = session.expand(String(id), { ...numbers({ offset, limit }), asResult: true });
        const more =
          page.next === undefined ? "" : `\n[${page.total - page.next} more characters: offset ${page.next}]`;
        return page.text + more;
      }),
  };
}

function searchTool(session: Session): ContextTool {
  return {
    name: "context_search",
    description: "Searches everything said in this session, also what is no longer shown.",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string" }, limit: { type: "integer", minimum: 1, maximum: 20 } },
      required: ["query"],
    },
    execute: (input) =>
      told(() => {
        const { query, limit } = fieldsOf(input);
        const hits = session.search(String(query ?? ""), { limit: FEW, ...numbers({ limit }) });
        const lines = hits.map(({ entry, excerpt }) => `${entry.id} (${entry.message.role}): ${excerpt}`);
        return lines.length > 0 ? lines.join("\n") : "Nothing found.";
      }),
  };
}

/** Models also send nothing, lists, and numbers as text. */
const fieldsOf = (input: unknown): UnknownFields => (isObject(input) ? input : {});

const numbers = (fields: UnknownFields): Record<string, number> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const isText = typeof value === "string" && /^\d+$/.test(value);
      return typeof value === "number" || isText ? [[name, Number(value)]] : [];
    }),
  );

function told(act: () => string): string {
  try {
    return act();
  } catch (error) {
    if (VarveError.isInstance(error)) return `${error.message} ${error.hint ?? ""}`.trim();
    throw error;
  }
}
