/** Names alone: a configuration is read without loading any strategy. */

/** What makes the views of a session that names no strategy: one that remembers what it cannot show. */
export const DEFAULT_STRATEGY = "hierarchical";

/** What a plugin.json gets that names none, and what the sessions have that 0.1.0 stored without a name. */
export const PLAIN_STRATEGY = "sliding-window";
