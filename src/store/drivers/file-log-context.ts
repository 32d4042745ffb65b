/** The context document of a session from its log alone, for when the file of it is gone or damaged. */
import type { ContextDocument } from "../../compaction/context-document.js";
import { isObject } from "../../message/plain-value.js";
import { createTokenCounter } from "../../tokens/create-token-counter.js";
import { branchOf } from "../branch.js";
import { contextOf, HISTORY, NOTED, notedIn, OBSERVED, observedOn, observeEntries } from "../context-of.js";
import { entryOfRow } from "../stored-entry.js";
import { FileLog } from "./file-log.js";
import { logPathOf } from "./file-name.js";

/** Names under which a session keeps its options and its receipts. */
const OPTIONS = "state/options";
const RECEIPTS = "receipt/";

/** Undefined where there is no log. */
export function contextInFolder(folder: string, sessionId: string): ContextDocument | undefined {
  const log = FileLog.open(logPathOf(folder, sessionId), sessionId, () => undefined);
  return log === undefined || log.isEmpty ? undefined : contextInLog(log);
}

export function contextInLog({ rows, documents, info }: FileLog): ContextDocument {
  const parsed = (name: string): unknown => (documents.has(name) ? JSON.parse(documents.get(name)!) : undefined);
  const entries = rows.map(({ damage: _, ...row }) => entryOfRow(row));
  const all = observeEntries(parsed(OBSERVED), entries);
  const branch = branchOf(entries, info.head);
  const observed = branch.length === entries.length ? all : observedOn(observeEntries(undefined, branch), all);
  const counter = createTokenCounter(modelIn(parsed(OPTIONS)));
  for (const entry of branch.slice(-HISTORY)) entry.tokens = counter.message(entry.message);
  return contextOf({ id: info.id, branch, observed, noted: notedIn(parsed(NOTED)), summary: summaryIn(documents) });
}

const modelIn = (options: unknown): { model?: string } =>
  isObject(options) && typeof options.model === "string" ? { model: options.model } : {};

/** What the latest receipt says that stands in for what it left out. */
function summaryIn(documents: ReadonlyMap<string, string>): string {
  const names = [...documents.keys()].filter((name) => name.startsWith(RECEIPTS)).sort();
  for (const name of names.reverse()) {
    const receipt: unknown = JSON.parse(documents.get(name)!);
    if (isObject(receipt) && typeof receipt.replacedBy === "string") return receipt.replacedBy;
  }
  return "";
}
