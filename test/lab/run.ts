import { z } from "zod";
import {
  type AnyTool,
  entities,
  hierarchical,
  importance,
  openVarve,
  type Session,
  type Strategy,
  slidingWindow,
  summarization,
  type View,
} from "../../src/index.js";
import type { Client, Connection } from "./client.js";
import { aiSdkClients } from "./clients/ai-sdk.js";
import { anthropicClients } from "./clients/anthropic.js";
import { gemini } from "./clients/gemini.js";
import { openaiChat, openaiResponses } from "./clients/openai.js";
import { type Account, startProviderServer } from "./provider-server.js";
import { askedAt, outputOf, SYSTEM } from "./script.js";

export const CLIENTS: readonly Client[] = [openaiChat, openaiResponses, ...anthropicClients, gemini, ...aiSdkClients];

const STATE = z.object({ file: z.string().describe("The file that is worked on"), task: z.number() });

const MAKE: Readonly<Record<string, () => Strategy>> = {
  "sliding-window": slidingWindow,
  summarization,
  importance,
  hierarchical,
  entities: () => entities({ schema: STATE }),
};
export const STRATEGIES = Object.keys(MAKE);

export interface Setting {
  readonly client: Client;
  readonly strategy: string;
  readonly window: number;
  readonly steps: number;
}

export interface Report extends Account {
  readonly cuts: number;
  /** Views that are larger than their own budget says. */
  readonly overBudget: number;
}

/** An agent that works for so many steps, or until its provider refuses a request. */
export async function runAgent({ client, strategy, window, steps }: Setting): Promise<Report> {
  const server = await startProviderServer(client.protocol(), window);
  const varve = await openVarve();
  const counted = { cuts: 0, overBudget: 0 };
  try {
    const options = { window, reserve: 0, model: client.model, strategy: MAKE[strategy]!() };
    const session = await varve.session("lab", options);
    const connection = client.connect(server.url);
    await session.append({ role: "user", content: askedAt(0) });
    for (let step = 0; step < steps; step++) note(counted, await work(session, connection, step));
  } catch (error) {
    if (server.account.refused.length === 0) throw error;
  } finally {
    await varve.close();
    await server.close();
  }
  return { ...server.account, ...counted };
}

/** One request and what its answer leads to; the view that was sent. */
async function work(session: Session, { tools, ask }: Connection, step: number): Promise<View<AnyTool>> {
  const view = await session.view({ system: SYSTEM, tools });
  const { calls, messages } = await ask(view, step);
  await session.append(messages(calls.map(outputOf)));
  if (calls.length === 0) await session.append({ role: "user", content: askedAt(step + 1) });
  return view;
}

function note(counted: { cuts: number; overBudget: number }, { receipt, tokens, budget }: View<AnyTool>): void {
  if (receipt?.cut === true) counted.cuts++;
  if (tokens > budget.usable) counted.overBudget++;
}
