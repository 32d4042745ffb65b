import { fromOpenAI, openVarve, toOpenAI } from "../../dist/index.js";

const textOf = ({ content }) =>
  typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("\n");

/** Text without regard to how its lines are wrapped. */
export const squeezed = (text) => text.replaceAll(/\s+/g, " ").trim();

/**
 * Plays messages, in the OpenAI chat shape, through a session as an agent would: a view is made each time that the
 * model is asked. `use` gets the session and the last view, whose notes are what stands in user messages that nobody sent.
 */
export async function play({ messages, options, use }) {
  const varve = await openVarve({ store: "memory" });
  const session = await varve.session("bench", options);
  let [pending, view] = [[], undefined];
  for (const [at, message] of messages.entries()) {
    pending.push(message);
    const next = messages[at + 1];
    if (next !== undefined && next.role !== "assistant") continue;
    await session.append(fromOpenAI(pending));
    pending = [];
    view = toOpenAI((await session.view()).messages);
  }
  const sent = new Set(messages.filter(({ role }) => role === "user").map(textOf));
  const users = view.filter(({ role }) => role === "user").map(textOf);
  const texts = {
    said: users.filter((text) => sent.has(text)),
    notes: users.filter((text) => !sent.has(text)),
    all: view.map(textOf),
  };
  const result = await use({ session, ...texts });
  await varve.close();
  return result;
}
