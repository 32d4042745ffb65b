import { VarveError } from "../errors.js";
import { type MemoryRow, type Scope, scopeKey, scopeOf } from "../store/memories/memories.js";

const NAMED = 5;

/**
 * The rows of the one memory that an id means in a scope. One that was stored with this very scope comes before those
 * of scopes within it; of several of those none is meant more than another, which is an error.
 */
export function rowsOfOne(scope: Scope, id: string, rows: readonly MemoryRow[]): readonly MemoryRow[] {
  const byScope = Map.groupBy(rows, (row) => row.scope);
  if (byScope.size <= 1) return rows;
  const own = byScope.get(scopeKey(scope));
  if (own !== undefined) return own;
  throw ambiguous(id, [...byScope.keys()].map(scopeOf));
}

function ambiguous(id: string, scopes: readonly Scope[]): VarveError {
  const named = scopes.slice(0, NAMED).map((scope) => JSON.stringify(scope));
  const more = scopes.length > NAMED ? ` and ${scopes.length - NAMED} more` : "";
  return new VarveError({
    code: "invalid-option",
    message: `Several scopes within this one have a memory ${JSON.stringify(id)}: ${named.join(", ")}${more}.`,
    hint: "Open the memory with the scope that it was stored in.",
    details: { id, scopes },
  });
}
