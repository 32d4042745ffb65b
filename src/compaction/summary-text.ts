import type { Summariser, SummaryRequest } from "../digest/summariser.js";

/** The text of a summary; throws where the summariser gave none that can be used. */
export async function summaryText(summariser: Summariser, request: SummaryRequest): Promise<string> {
  const { text, finish } = await summariser.summarise(request);
  if (finish === "refused") throw new Error(`The summariser "${summariser.name}" refused.`);
  if (!/\S/.test(text)) throw new Error(`The summariser "${summariser.name}" returned no text.`);
  return text.trim();
}
