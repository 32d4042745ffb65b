import { historyOf } from "../message/exchanges.js";
import { IdentifierIndex } from "./identifier-index.js";
import { NAMES_HEAD } from "./name-index.js";
import type { Draft } from "./notes.js";
import { noNotes } from "./notes.js";
import { renderNotes } from "./render-notes.js";
import { checkSummaryRequest, type Summariser, type SummaryRequest } from "./summariser.js";
import { noteOf, takeNotes } from "./take-notes.js";
import { worthIn } from "./worth.js";

/** Worth of an identifier of the summary before: it was chosen once already. */
const CARRIED = 0.05;

/**
 * A summariser without a model: notes on the messages, in whole statements. Deterministic, and fast enough to run where
 * it stands.
 *
 * @example
 * ```ts
 * const { text } = await extractiveSummariser().summarise({ messages, maxTokens: 500, counter: createTokenCounter() });
 * ```
 */
export function extractiveSummariser(): Summariser {
  return {
    name: "extractive",
    summarise: async (request) => ({ text: extract(checkSummaryRequest(request)), madeBy: "extractive" }),
  };
}

function extract({ messages, ids, previous, maxTokens, counter }: SummaryRequest): string {
  const index = new IdentifierIndex();
  const history = historyOf(messages);
  const now = messages.length;
  const idAt = (at: number) => ids?.[at] ?? `e${at}`;
  index.readTo(now, history);
  const carried = carriedDrafts(previous ?? "").map((draft) => noteOf(draft, counter));
  const notes = takeNotes({ ...noNotes(0), notes: carried }, now, { history, length: now, idAt, counter });
  const worth = worthIn({ index, now, unknown: CARRIED });
  return renderNotes(notes, { room: maxTokens, counter, now, worth, idAt })?.text ?? "";
}

/** The statements of an earlier summary, as who said them; its index of names is made anew. */
function carriedDrafts(previous: string): Draft[] {
  const drafts: Draft[] = [];
  for (const line of previous.split("\n")) {
    const [, lead = "", text = ""] = /^(User: |Agent: |- |\s+)?(.*)$/s.exec(line) ?? [];
    const last = drafts.at(-1);
    if (line.startsWith(NAMES_HEAD)) break;
    if (/^\[e\d/.test(line) || text.trim() === "") continue;
    const isBelow = lead !== "" && lead.trim() === "";
    if (isBelow && last?.kind === "user") drafts.push({ ...drafts.pop()!, text: `${last.text}\n${text}` });
    else drafts.push({ at: 0, kind: kindOf(lead, isBelow ? last : undefined), text, bonus: CARRIED });
  }
  return drafts;
}

/** What stands below a line belongs to it. */
function kindOf(lead: string, above: Draft | undefined): Draft["kind"] {
  if (lead === "User: ") return "user";
  if (lead === "- ") return "run";
  return above?.kind === "run" || above?.kind === "fact" ? "fact" : "answer";
}
