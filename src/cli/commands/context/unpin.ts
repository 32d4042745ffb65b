import { defineCommand } from "../../command.js";
import type { SessionChoice } from "../../open.js";
import { withSession } from "../../open-session.js";
import type { Output } from "../../output/schemas.js";
import { pinData, pinLines } from "./pin.js";

export const command = defineCommand<SessionChoice>({
  shares: ["session", "store", "window"],
  define: (command) => {
    command.argument("<entry>", "the pinned entry, such as e12; `varve context pin` lists them");
  },
  async run({ options, operands: [entry = ""], screen }) {
    const data = await withSession(options, async (session): Promise<Output<"context unpin">> => {
      session.unpin(entry);
      await session.flush();
      return { session: session.id, unpinned: entry, pins: session.pins().map(pinData) };
    });
    return { data, lines: () => pinLines(data.pins, screen) };
  },
});
