import type { Pin } from "../../../session/pin.js";
import { defineCommand } from "../../command.js";
import type { SessionChoice } from "../../open.js";
import { withSession } from "../../open-session.js";
import type { Output } from "../../output/schemas.js";
import { rowLines } from "../../output/tables.js";
import { parseCount } from "../../shared-options.js";
import { countOf } from "../../terminal/format.js";
import type { Screen } from "../../terminal/screen.js";

interface PinCommandOptions extends SessionChoice {
  readonly turns?: number;
  readonly maxTokens?: number;
}

export const command = defineCommand<PinCommandOptions>({
  shares: ["session", "store", "window"],
  define: (command) => {
    command
      .argument("[entry]", "the entry to pin, such as e12; without one the pins are listed")
      .option("--turns <turns>", "for how many turns beyond the present one", parseCount)
      .option("--max-tokens <tokens>", "refuse the pin where it would take more", parseCount);
  },
  async run({ options, operands: [entry], screen }) {
    const { turns, maxTokens } = options;
    const data = await withSession(options, async (session): Promise<Output<"context pin">> => {
      const outcome =
        entry === undefined
          ? undefined
          : session.pin(entry, { ...(turns && { turns }), ...(maxTokens && { maxTokens }) });
      await session.flush();
      return {
        session: session.id,
        pinned: outcome === undefined ? null : pinData(outcome.pin),
        gaveWay: (outcome?.gaveWay ?? []).map(pinData),
        pins: session.pins().map(pinData),
      };
    });
    return { data, lines: () => pinLines(data.pins, screen) };
  },
});

/** A pin as programs get it. */
export const pinData = ({ entry, by, tokens, until }: Pin) => ({ entry, by, tokens, until });

export function pinLines(pins: readonly { entry: string; by: string; tokens: number }[], screen: Screen): string[] {
  if (pins.length === 0) return [" Nothing is pinned."];
  return rowLines(
    pins.map(({ entry, by, tokens }) => [entry, countOf(tokens, "token"), `by the ${by}`]),
    screen,
  );
}
