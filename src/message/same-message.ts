import { sameValue } from "./plain-value.js";
import type { Message } from "./types.js";

/**
 * Whether two messages say the same. Clients write a text alone or in a list, and the same one now so and now so: a mark of
 * a provider's cache can stand in a list only.
 */
export const sameMessage = (left: Message, right: Message): boolean =>
  sameValue(left, right) || sameValue(withoutForm(left), withoutForm(right));

/** A message that says one plain text, and nothing beside it, with the text as its content. */
export function simplified<T extends Message>(message: T): T {
  const [only] = message.content;
  const isPlain = typeof only === "object" && only.type === "text" && only.providerOptions === undefined;
  return isPlain && message.content.length === 1 ? { ...message, content: only.text } : message;
}

/** Of a system message the form is carried apart from what it says. */
function withoutForm(message: Message): Message {
  if (message.role !== "system" || message.content === "") return simplified(message);
  const { varve: _form, ...others } = message.providerOptions ?? {};
  return { ...message, providerOptions: others };
}
