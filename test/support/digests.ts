import { sampleSession } from "../../src/cli/demo/sample-session.js";
import { fromOpenAI, type Message, openVarve, summarization } from "../../src/index.js";
import { messageText } from "../../src/message/content.js";
import { operationsIncident } from "./conversations/operations-incident.js";
import { researchChat } from "./conversations/research-chat.js";
import { EXACT } from "./exact.js";

interface Sample {
  readonly title: string;
  readonly messages: readonly Message[];
  readonly window: number;
  /** Share of the window for the digest. */
  readonly summaryShare: number;
}

const SAMPLES = (): Sample[] => [
  {
    title: "A coding agent finds out why a payment service charged customers twice",
    messages: fromOpenAI(sampleSession().messages),
    window: 12_000,
    summaryShare: 0.1,
  },
  {
    title: "Somebody has the literature read for a grant proposal",
    messages: researchChat(),
    window: 1_000,
    summaryShare: 0.6,
  },
  {
    title: "Mail is late, and somebody on call is helped",
    messages: operationsIncident(),
    window: 1_200,
    summaryShare: 0.5,
  },
];

/** The digests of the sample conversations as a piece of Markdown. */
export async function digestSection(): Promise<string> {
  const parts: string[] = [];
  for (const sample of SAMPLES()) parts.push(await digestOf(sample));
  return parts.join("\n\n");
}

async function digestOf({ title, messages, window, summaryShare }: Sample): Promise<string> {
  const strategy = summarization({ summaryShare });
  const session = await (await openVarve()).session("s", { ...EXACT, window, target: 0.4, strategy });
  await session.append(messages);
  const receipt = await session.compact();
  const view = await session.view();
  const digest = view.messages.map(messageText).find((text) => text.startsWith("[Memory Summary]"));
  if (digest === undefined) throw new Error(`"${title}" has no digest`);
  const [before, after] = [receipt.tokensBefore, receipt.tokensAfter].map((tokens) => tokens.toLocaleString("en"));
  const account = `${receipt.leftOut?.entries} of ${view.entries} messages left the view, which shrank from ${before} to ${after} tokens:`;
  return `**${title}.** ${account}\n\n\`\`\`text\n${digest.replaceAll("```", "'''")}\n\`\`\``;
}
