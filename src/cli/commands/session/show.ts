import { messageText } from "../../../message/content.js";
import type { Entry } from "../../../message/entry.js";
import type { SessionSummary } from "../../../session/session-summary.js";
import { defineCommand } from "../../command.js";
import { noSession, type SessionChoice, sessionIdOf, withStore } from "../../open.js";
import type { Output } from "../../output/schemas.js";
import { factLines, formatBytes, formatEntries, formatTime, rowLines } from "../../output/tables.js";
import { parseOffset } from "../../shared-options.js";
import { countOf, truncate } from "../../terminal/format.js";
import type { Screen } from "../../terminal/screen.js";
import { checkpointData } from "../context/checkpoint-data.js";

interface ShowOptions extends SessionChoice {
  readonly entries: number;
}

type Shown = Output<"session show">;
const NEWEST = 10;

export const command = defineCommand<ShowOptions>({
  shares: ["store"],
  define: (command) => {
    command
      .argument("[id]", "the session; the one changed last unless given")
      .option("--entries <count>", "how many of its newest entries", parseOffset, NEWEST);
  },
  async run({ options, operands: [id], screen }) {
    const chosen = id === undefined ? options : { ...options, session: id };
    const data = await withStore(chosen, async (store): Promise<Shown> => {
      const { readSummary } = await import("../../../session/session-summary.js");
      const found = await sessionIdOf(chosen, store);
      const summary = await readSummary(store, found);
      if (summary === undefined) throw noSession(found);
      const from =
        options.entries === 0 ? Number.POSITIVE_INFINITY : Math.max(0, summary.info.entries - options.entries);
      const entries = (await store.read(found, { from }))?.entries ?? [];
      return shown(summary, entries);
    });
    return { data, lines: () => showLines(data, screen) };
  },
});

function shown({ info, options, latest, checkpoints, pins }: SessionSummary, entries: readonly Entry[]): Shown {
  const { id, entries: count, created, updated, bytes } = info;
  return {
    session: { id, entries: count, created, updated, bytes },
    options: { ...options },
    latest: latest === undefined ? null : { ...latest },
    checkpoints: checkpoints.map(checkpointData),
    pins: pins.slice(),
    entries: entries.map(({ id: entry, time, role, message }) => ({
      id: entry,
      time,
      role,
      text: messageText(message),
    })),
  };
}

function showLines({ session, options, latest, checkpoints, pins, entries }: Shown, screen: Screen): string[] {
  const settings = Object.entries(options).map(
    ([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`,
  );
  const facts: [string, string][] = [
    ["Log", `${formatEntries(session.entries)}, ${formatBytes(session.bytes)}`],
    ["Made", formatTime(session.created)],
    ["Changed", formatTime(session.updated)],
    ["Options", settings.join(", ") || "none"],
    [
      "View",
      latest === null
        ? "none recorded"
        : `${countOf(latest.tokens, "token")}, ${formatEntries(latest.leftOut)} not shown`,
    ],
    ["Kept", `${countOf(checkpoints.length, "checkpoint")}, ${countOf(pins.length, "pin")}`],
  ];
  return [
    "",
    ` ${screen.ink.bold(screen.isBounded ? truncate(session.id, screen.width() - 1) : session.id)}`,
    ...factLines(facts, screen),
    "",
    ...rowLines(
      entries.map(({ id, role, text }) => [id, role, text]),
      screen,
    ),
    "",
  ];
}
