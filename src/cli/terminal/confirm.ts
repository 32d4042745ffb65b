let interrupted = false;

/** Whether a question was left with Ctrl-C or Ctrl-D: whoever asked has got a no, and the exit code tells the two apart. */
export const wasInterrupted = (): boolean => interrupted;

/** Asks on the terminal; false where there is none to ask on. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const answer = await answerTo(`${question} [y/N] `);
  interrupted = answer === undefined;
  return /^y(?:es)?$/i.test(answer?.trim() ?? "");
}

/** Undefined where the question is left without an answer. */
async function answerTo(question: string): Promise<string | undefined> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string | undefined>((resolve) => {
      const onClose = () => {
        process.stderr.write("\n");
        resolve(undefined);
      };
      lines.once("close", onClose);
      lines.question(question, (answer) => {
        // The listeners of Node's own let go of the terminal.
        lines.off("close", onClose);
        resolve(answer);
      });
    });
  } finally {
    lines.close();
  }
}
