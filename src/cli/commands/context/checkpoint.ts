import type { Checkpoint } from "../../../session/checkpoint.js";
import { defineCommand } from "../../command.js";
import type { SessionChoice } from "../../open.js";
import { withSession } from "../../open-session.js";
import type { Output } from "../../output/schemas.js";
import { formatEntries, formatTime, rowLines } from "../../output/tables.js";
import { checkpointData } from "./checkpoint-data.js";

interface CheckpointOptions extends SessionChoice {
  readonly list?: boolean;
}

export const command = defineCommand<CheckpointOptions>({
  shares: ["session", "store", "window"],
  define: (command) => {
    command.argument("[name]", "what to call it").option("--list", "make none, and list those there are");
  },
  async run({ options, operands: [name], screen }) {
    const { id, made, all } = await withSession(options, async (session) => ({
      id: session.id,
      made: options.list ? undefined : await session.checkpoint(name),
      all: session.checkpoints(),
    }));
    const data: Output<"context checkpoint"> = {
      session: id,
      made: made === undefined ? null : checkpointData(made),
      checkpoints: all.map(checkpointData),
    };
    return { data, lines: () => (made === undefined ? list(all) : [` ${made.id}  ${made.name}`]) };

    function list(checkpoints: readonly Checkpoint[]): string[] {
      return checkpoints.length === 0 ? [" No checkpoints yet."] : rowLines(checkpoints.map(row), screen);
    }
  },
});

const row = ({ id, time, entries, name, automatic }: Checkpoint): string[] => [
  id,
  formatTime(time),
  formatEntries(entries),
  automatic ? "(automatic)" : name,
];
