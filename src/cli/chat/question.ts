import { fstatSync } from "node:fs";
import { text } from "node:stream/consumers";
import { VarveError } from "../../errors.js";

/**
 * What is asked: the words of the command line, stdin, or both, one below the other. Undefined where a person is to type on
 * the terminal.
 */
export async function questionFrom(operand: string | undefined): Promise<string | undefined> {
  const { stdin, stdout } = process;
  if (operand === undefined && stdin.isTTY && stdout.isTTY) return undefined;
  const piped = stdin.isTTY || (operand !== undefined && !isPiped()) ? "" : await text(stdin);
  const question = [operand ?? "", piped]
    .map((part) => part.trim())
    .filter(Boolean)
    .join("\n\n");
  if (question !== "") return question;
  throw new VarveError({
    code: "invalid-option",
    message: "There is no question.",
    hint: 'Ask on the command line, `varve chat "…"`, or by stdin; on a terminal `varve chat` alone begins a conversation.',
  });
}

/** Besides a question, stdin counts where something was sent into it, and not where it was only left open. */
function isPiped(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isFile();
  } catch {
    return false;
  }
}
