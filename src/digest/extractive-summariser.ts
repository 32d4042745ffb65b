import { historyOf } from "../message/exchanges.js";
import type { TokenCounter } from "../tokens/counter.js";
import { checkSummaryRequest } from "./check-summariser.js";
import { type DigestItem, GROUPS, type ItemGroup, lineOf, renderGroups } from "./digest.js";
import { extractItems } from "./extract.js";
import { IdentifierIndex } from "./identifier-index.js";
import { findIdentifiers } from "./identifiers.js";
import { outcomesIn } from "./outcomes.js";
import type { Summariser, SummaryRequest } from "./summariser.js";
import { chooseLines, worthIn } from "./worth.js";

/** Worth of a line of the summary before, beyond its identifiers: it was chosen once already. */
const CARRIED = 0.05;

/**
 * A summariser without a model: the constraints, requests, decisions and identifiers most likely to be needed again,
 * word for word. Deterministic, and fast enough to run where it stands.
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

function extract({ messages, previous, maxTokens, counter }: SummaryRequest): string {
  const index = new IdentifierIndex();
  const history = historyOf(messages);
  index.readTo(messages.length, history);
  const outcomes = outcomesIn(messages);
  const fresh = messages.flatMap((message, position) =>
    extractItems({ message, position, passages: index.passagesAt(position, history), counter, outcomes }),
  );
  const worth = worthIn({ index, now: messages.length, unknown: CARRIED });
  const candidates = [...carriedItems(previous ?? "", counter), ...fresh];
  const kept = chooseLines(candidates, maxTokens, { worth, now: messages.length });
  return renderGroups(kept).join("\n");
}

/** The lines of an earlier summary, under the headings they stood under. */
function carriedItems(previous: string, counter: TokenCounter): DigestItem[] {
  let group: ItemGroup = "Notes";
  return previous.split("\n").flatMap((line): DigestItem[] => {
    const heading = GROUPS.find((each) => line === `${each}:`);
    if (heading !== undefined) group = heading;
    if (heading !== undefined || line.trim() === "") return [];
    const identifiers = [...new Set(findIdentifiers(line).map(({ text }) => text))];
    const tokens = counter.text(lineOf({ text: line, state: undefined })) + 1;
    return [{ text: line, group, identifiers, bonus: CARRIED, tokens, position: -1, state: undefined }];
  });
}
