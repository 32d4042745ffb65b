/** The settings that the environment may give, under names of varve's own and under those of maybeCompactContext's constants. */

export type SettingKind = "text" | "number" | "share" | "switch" | "folder";

export interface Setting {
  readonly path: string;
  readonly kind: SettingKind;
}

const OWN: Readonly<Record<string, Setting>> = {
  VARVE_STORE: { path: "store", kind: "text" },
  VARVE_MODEL: { path: "model", kind: "text" },
  VARVE_WINDOW: { path: "window", kind: "number" },
  VARVE_RESERVE: { path: "reserve", kind: "number" },
  VARVE_TRIGGER: { path: "trigger", kind: "share" },
  VARVE_TARGET: { path: "target", kind: "share" },
  VARVE_MAX_SPEND: { path: "maxSpend", kind: "number" },
  VARVE_STRATEGY: { path: "strategy", kind: "text" },
  VARVE_CHECKPOINT_EVERY: { path: "checkpointEvery", kind: "number" },
  VARVE_SNAPSHOTS: { path: "snapshots.folder", kind: "folder" },
  VARVE_SUMMARISER: { path: "summariser.model", kind: "text" },
  VARVE_EMBEDDER: { path: "embedder.model", kind: "text" },
  VARVE_MEMORY: { path: "memory.enabled", kind: "switch" },
  VARVE_CHAT_MODEL: { path: "chat.model", kind: "text" },
  VARVE_CHAT_PROTOCOL: { path: "chat.protocol", kind: "text" },
  VARVE_CHAT_URL: { path: "chat.baseURL", kind: "text" },
  VARVE_CHAT_KEY_ENV: { path: "chat.apiKeyEnv", kind: "text" },
};

/** Those without the prefix are looked at last. */
const PLAIN: Readonly<Record<string, Setting>> = {
  CONTEXT_WINDOW_TOKENS: { path: "window", kind: "number" },
  COMPACT_TRIGGER: { path: "trigger", kind: "share" },
  COMPACT_TARGET: { path: "target", kind: "share" },
  KEEP_LAST_TURNS: { path: "compaction.keepLastTurns", kind: "number" },
  MAX_COMPACTION_ATTEMPTS: { path: "compaction.maxAttempts", kind: "number" },
  MAX_RECENT_HISTORY: { path: "compaction.maxHistory", kind: "number" },
};

export const VARIABLES: Readonly<Record<string, Setting>> = { ...PLAIN, ...OWN };

/** Variables that are read elsewhere. */
export const OTHER_VARIABLES = ["VARVE_CONFIG", "VARVE_SESSION", "VARVE_TRUST", "VARVE_DEBUG"];
