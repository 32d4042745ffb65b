/** The question for consent, as a person sees it and answers it. */
import { createInterface } from "node:readline/promises";
import type { Screen } from "../terminal/screen.js";
import { visible } from "../terminal/visible.js";
import type { ConsentAnswer } from "./listener.js";
import type { ConsentRequest } from "./tools/tool.js";

export const CONSENT_PROMPT = "[y]es once, [a]lways, [N]o: ";

/** Whatever is asked for is shown in full: what is hidden cannot be agreed to. */
export const consentLines = ({ question, lines, always }: ConsentRequest, ink: Screen["ink"]): string[] => [
  ...lines.map((line) => `  ${ink.tone("orange", visible(line))}`),
  `${ink.bold(visible(question))} (always: ${always.words})`,
];

export function consentAnswer(typed: string | undefined): ConsentAnswer {
  const answer = typed?.trim().toLowerCase() ?? "";
  if (/^a(?:lways)?$/.test(answer)) return "always";
  return /^y(?:es)?$/.test(answer) ? "once" : "no";
}

/** Reads one line where no editor is open; undefined where the input ends or the user interrupts. */
export async function askLine(prompt: string, stop: AbortController): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve) => {
    lines.once("close", () => resolve(undefined));
    lines.once("SIGINT", () => {
      stop.abort();
      lines.close();
    });
  });
  try {
    const typed = lines.question(prompt, { signal: stop.signal }).catch(() => undefined);
    return await Promise.race([typed, ended]);
  } finally {
    lines.close();
  }
}
