import type { Entry } from "../../message/entry.js";
import type { Store } from "../store.js";

/** Keeps sessions in this process's memory: for tests, and for agents that end with their process. */
export function memoryStore(): Store {
  const sessions = new Map<string, Entry[]>();
  return {
    name: "memory",
    load: async (sessionId) => sessions.get(sessionId) ?? [],
    append: async (sessionId, entries) => {
      const kept = sessions.get(sessionId);
      if (kept === undefined) sessions.set(sessionId, entries.slice());
      else for (let at = 0; at < entries.length; at++) kept.push(entries[at]!);
    },
    close: async () => sessions.clear(),
  };
}
