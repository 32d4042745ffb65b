/** Every command. A module is imported when its command is called, so that the others cost nothing. */
import type { CommandEntry } from "./command.js";

const context: readonly CommandEntry[] = [
  {
    name: "status",
    summary: "what fills the window, and when the next compaction comes",
    load: () => import("./commands/context/status.js"),
  },
  {
    name: "summarize",
    summary: "summarise what lies before the newest messages, now",
    load: () => import("./commands/context/summarize.js"),
  },
  {
    name: "compress",
    summary: "reduce the view now, down to its target",
    load: () => import("./commands/context/compress.js"),
  },
  {
    name: "explain",
    summary: "what a compaction would do, without doing it",
    load: () => import("./commands/context/explain.js"),
  },
  {
    name: "undo",
    summary: "take the latest compaction back",
    load: () => import("./commands/context/undo.js"),
  },
  {
    name: "checkpoint",
    summary: "give the present state a name to come back to, or list those given",
    load: () => import("./commands/context/checkpoint.js"),
  },
  {
    name: "restore",
    summary: "go back to a checkpoint; what came after it stays in the log",
    load: () => import("./commands/context/restore.js"),
  },
  {
    name: "search",
    summary: "find in everything ever said in the session",
    load: () => import("./commands/context/search.js"),
  },
  {
    name: "expand",
    summary: "the original text behind a digest or of an entry",
    load: () => import("./commands/context/expand.js"),
  },
  {
    name: "pin",
    summary: "keep an entry in every view, or list the pins",
    load: () => import("./commands/context/pin.js"),
  },
  { name: "unpin", summary: "let a pin go", load: () => import("./commands/context/unpin.js") },
  {
    name: "receipts",
    summary: "the accounts of the compactions made",
    load: () => import("./commands/context/receipts.js"),
  },
];

const session: readonly CommandEntry[] = [
  { name: "list", summary: "the sessions, newest first", load: () => import("./commands/session/list.js") },
  { name: "show", summary: "one session, with its newest entries", load: () => import("./commands/session/show.js") },
  {
    name: "delete",
    summary: "remove every trace of a session",
    load: () => import("./commands/session/delete.js"),
  },
  {
    name: "export",
    summary: "sessions as lines of JSON, with all that another store needs",
    load: () => import("./commands/session/export.js"),
  },
  {
    name: "import",
    summary: "take in what export wrote",
    load: () => import("./commands/session/import.js"),
  },
  { name: "fork", summary: "copy a session under another id", load: () => import("./commands/session/fork.js") },
];

const store: readonly CommandEntry[] = [
  {
    name: "verify",
    summary: "read everything, and say what is damaged or missing",
    load: () => import("./commands/store/verify.js"),
  },
  {
    name: "repair",
    summary: "make a backup, keep everything intact, and say what is gone",
    load: () => import("./commands/store/repair.js"),
  },
  {
    name: "backup",
    summary: "copy the store as it is at one moment, also while it is in use",
    load: () => import("./commands/store/backup.js"),
  },
];

const memory: readonly CommandEntry[] = [
  { name: "add", summary: "remember a text", load: () => import("./commands/memory/add.js") },
  { name: "search", summary: "what answers a question", load: () => import("./commands/memory/search.js") },
  { name: "list", summary: "the memories of a scope", load: () => import("./commands/memory/list.js") },
  {
    name: "history",
    summary: "every version of a memory, the first one first",
    load: () => import("./commands/memory/history.js"),
  },
  {
    name: "update",
    summary: "give a memory another text; the one before stays in its history",
    load: () => import("./commands/memory/update.js"),
  },
  {
    name: "forget",
    summary: "remove memories with all that was made of them",
    load: () => import("./commands/memory/forget.js"),
  },
  {
    name: "audit",
    summary: "duplicates, stale, orphaned and junk memories",
    load: () => import("./commands/memory/audit.js"),
  },
  { name: "export", summary: "memories as lines of JSON", load: () => import("./commands/memory/export.js") },
  { name: "import", summary: "take in what export wrote", load: () => import("./commands/memory/import.js") },
  {
    name: "embed",
    summary: "make vectors of the configured embedder for all memories of the store",
    load: () => import("./commands/memory/embed.js"),
  },
];

const config: readonly CommandEntry[] = [
  {
    name: "show",
    summary: "the configuration in force, and where each value comes from",
    load: () => import("./commands/config/show.js"),
  },
  {
    name: "trust",
    summary: "trust what the project's varve.json asks for, and a store that came with it",
    load: () => import("./commands/config/trust.js"),
  },
  { name: "init", summary: "write a varve.json", load: () => import("./commands/config/init.js") },
  {
    name: "schema",
    summary: "the JSON Schema of varve.json, or of what a command prints with --json",
    load: () => import("./commands/config/schema.js"),
  },
];

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "demo",
    summary: "watch varve keep a coding agent's session inside a small window; needs no key and no network",
    load: () => import("./commands/demo.js"),
  },
  {
    name: "chat",
    summary: "talk with a model in the terminal, or ask it one question",
    load: () => import("./commands/chat.js"),
  },
  { name: "context", summary: "look at a session's context and manage it", commands: context },
  { name: "session", summary: "list, show, move and remove sessions", commands: session },
  {
    name: "notes",
    summary: "what was said, done and left open in a session, as Markdown: to hand it over",
    load: () => import("./commands/notes.js"),
  },
  { name: "memory", summary: "add, find, change and forget memories", commands: memory },
  { name: "store", summary: "verify, repair and copy the store", commands: store },
  {
    name: "import",
    summary: "take recordings of other agents into the store as sessions",
    load: () => import("./commands/import.js"),
  },
  {
    name: "replay",
    summary: "replay recordings under a strategy, or under many to find the setting that suits them",
    load: () => import("./commands/replay.js"),
  },
  { name: "config", summary: "show, check and start a configuration", commands: config },
  {
    name: "doctor",
    summary: "check Node, store and all in it, model, embedder, clock and disk, with a remedy for each",
    load: () => import("./commands/doctor.js"),
  },
  {
    name: "completions",
    summary: "completions for bash, zsh or fish",
    load: () => import("./commands/completions.js"),
  },
];
