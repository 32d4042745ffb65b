import { VarveError } from "../../../errors.js";
import type { ForgetReceipt } from "../../../memory/forgetting.js";
import type { ScopedMemory } from "../../../memory/scoped-memory.js";
import { defineCommand } from "../../command.js";
import { type MemoryChoice, scopeOptions, withMemory } from "../../memory-scope.js";
import type { Output } from "../../output/schemas.js";
import { confirm } from "../../terminal/confirm.js";
import { countOf } from "../../terminal/format.js";

interface ForgetOptions extends MemoryChoice {
  readonly all?: boolean;
  readonly yes?: boolean;
}

/** What is forgotten cannot come back, so that it is asked for twice. */
export const command = defineCommand<ForgetOptions>({
  shares: ["store"],
  define: (command) => {
    scopeOptions(command)
      .argument("[ids...]", "the memories")
      .option("--all", "all memories of the scope")
      .option("-y, --yes", "forget without asking");
  },
  async run({ options, operands }) {
    const ids = operands.flat().filter((id) => id !== undefined);
    if ((ids.length === 0) === !options.all) throw nothingNamed();
    const receipts = await withMemory(options, async (memory) => {
      for (const id of ids) if ((await memory.history(id)).length === 0) throw noMemory(id);
      const what = options.all ? "all memories of the scope" : countOf(ids.length, "memory", "memories");
      if (!options.yes && !(await confirm(`Forget ${what} for good?`))) throw notConfirmed();
      return options.all ? [await memory.forgetAll()] : forgetEach(memory, ids);
    });
    const data: Output<"memory forget"> = {
      forgotten: receipts.flatMap(({ forgotten }) => forgotten),
      receipts: receipts.map((receipt) => ({
        ...receipt,
        forgotten: [...receipt.forgotten],
        sessions: [...receipt.sessions],
        kept: [...receipt.kept],
        rewritten: [...receipt.rewritten],
        proof: { ...receipt.proof, remains: [...receipt.proof.remains] },
      })),
    };
    return { data, lines: () => lines(data) };
  },
});

async function forgetEach(memory: ScopedMemory, ids: readonly string[]): Promise<ForgetReceipt[]> {
  const receipts: ForgetReceipt[] = [];
  for (const id of ids) receipts.push(await memory.forget(id));
  return receipts;
}

function lines({ forgotten, receipts }: Output<"memory forget">): string[] {
  if (forgotten.length === 0) return [" There was nothing to forget."];
  const asked = receipts.reduce((sum, { proof }) => sum + proof.asked, 0);
  return [
    ` Forgot ${countOf(forgotten.length, "memory", "memories")}; ${countOf(asked, "search", "searches")} afterwards found nothing.`,
    ...receipts.flatMap(({ sessions }) =>
      sessions.map(({ session, entries }) => ` Taken out of ${session}: ${countOf(entries, "entry", "entries")}.`),
    ),
    ...receipts.flatMap(({ rewritten }) => rewritten.map((id) => ` Went on without its words: ${id}.`)),
    ...new Set(receipts.flatMap(({ proof }) => proof.remains.map((what) => ` Out of reach: ${what}`))),
    ...receipts.flatMap(({ kept }) => kept.map((session) => ` Left as it is, being of another scope: ${session}.`)),
  ];
}

const nothingNamed = (): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: "It is not said what to forget.",
    hint: "Name memories by their ids, as `varve memory list` shows them, or pass --all; not both.",
    details: { option: "--all" },
  });

const noMemory = (id: string): VarveError =>
  new VarveError({
    code: "not-found",
    message: `There is no memory ${JSON.stringify(id)} in this scope; nothing was forgotten.`,
    hint: "`varve memory list --superseded` shows the ids; a memory of another scope is not seen from here.",
    details: { id },
  });

const notConfirmed = (): VarveError =>
  new VarveError({
    code: "aborted",
    message: "Nothing was forgotten.",
    hint: "Answer y, or pass --yes where nobody can be asked.",
  });
