import { InvalidArgumentError } from "commander";
import { VarveError } from "../../errors.js";
import { Consent } from "../chat/consent.js";
import { type ChatChoice, withChat } from "../chat/open-chat.js";
import { questionFrom } from "../chat/question.js";
import { type SingleAnswer, singleAnswer } from "../chat/single-answer.js";
import { type Call, defineCommand, type Result } from "../command.js";
import { INTERRUPTED } from "../exit-codes.js";
import type { Output } from "../output/schemas.js";

interface ChatOptions extends ChatChoice {
  readonly allow?: readonly Allowed[];
  readonly json?: boolean;
}

type Allowed = "write" | "run";

const COMPACTIONS = 2;

function allowed(what: string, before: readonly Allowed[] = []): readonly Allowed[] {
  if (what === "write" || what === "run") return [...before, what];
  throw new InvalidArgumentError("Allowed are write and run.");
}

export const command = defineCommand<ChatOptions>({
  shares: ["session", "store", "window"],
  define: (command) => {
    command
      .argument("[question]", "asks it and prints the answer; without one, stdin, or a conversation on the terminal")
      .option("--new", "begin another session rather than go on with the last one")
      .option("--allow <what>", "write or run: agrees to it beforehand; may be repeated", allowed);
  },
  async run(call) {
    const { options, operands, screen } = call;
    const question = await questionFrom(operands[0]);
    if (question !== undefined) return withChat(options, async (chat) => answered(call, { chat, question }));
    if (options.json) throw needsQuestion();
    const { chatOnTerminal } = await import("../chat/terminal/terminal-chat.js");
    const { SlashCommands } = await import("../chat/slash.js");
    const { stdin: input, stdout: output } = process;
    const commands = await SlashCommands.open(call.program);
    const parts = { screen, input, output, commands, consent: new Consent(options.allow) };
    const exitCode = await withChat(options, (chat) => chatOnTerminal(chat, { ...parts, ...limitsOf(chat) }));
    return { data: {}, lines: () => [], written: true, exitCode };
  },
});

type OpenChat = Parameters<Parameters<typeof withChat>[1]>[0];

const limitsOf = ({ loaded }: OpenChat) => ({
  maxCompactions: loaded.config.compaction?.maxAttempts ?? COMPACTIONS,
});

async function answered(
  { options, screen, say }: Call<ChatOptions>,
  { chat, question }: { readonly chat: OpenChat; readonly question: string },
): Promise<Result> {
  const isShown = screen.output.isTTY === true && !options.json;
  const consent = new Consent(options.allow);
  const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const shown = { screen: isShown ? screen : undefined, ink: canAsk ? screen.ink : undefined };
  const parts = { question, consent, say, ...shown, ...limitsOf(chat) };
  const answer = await singleAnswer(chat, parts);
  const exitCode = answer.finish === "interrupted" ? INTERRUPTED : answer.finish === "steps" ? 1 : 0;
  return { data: dataOf(chat, answer), lines: () => [answer.answer], written: isShown, exitCode };
}

function dataOf({ session, model }: OpenChat, { answer, finish, tools, compactions, metered }: SingleAnswer) {
  const { tokens = 0, budget } = session.status();
  const data: Output<"chat"> = {
    session: session.id,
    model: model.name,
    answer,
    finish,
    tools: [...tools],
    compactions,
    usage: metered,
    view: { tokens, usable: budget.usable },
  };
  return data;
}

const needsQuestion = (): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: "--json prints the answer to one question, and there is none.",
    hint: 'Ask on the command line, `varve chat "…" --json`, or by stdin.',
    details: { option: "--json" },
  });
