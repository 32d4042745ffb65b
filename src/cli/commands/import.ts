import { Option } from "commander";
import { sessionOptions } from "../../config/configured.js";
import type { LoadedConfig } from "../../config/load-config.js";
import { VarveError } from "../../errors.js";
import type { Varve } from "../../session/open-varve.js";
import type { SessionOptions } from "../../session/session-options.js";
import { storableOptions } from "../../session/stored-options.js";
import { findModel } from "../../tokens/models.js";
import type { RecordedConversation } from "../../wire/recordings/recording.js";
import { defineCommand } from "../command.js";
import type { SessionChoice } from "../open.js";
import { withVarve } from "../open-session.js";
import type { ImportData } from "../output/recording-schemas.js";
import { formatEntries, rowLines } from "../output/tables.js";
import { exitCodeOfFailed, type FailedFile, failedFile, sayFailures } from "../recordings/failed-file.js";
import { type FormatOption, formatOption, readingOf } from "../recordings/format-option.js";
import { nameSessions } from "../recordings/name-sessions.js";
import type { RecordingFile } from "../recordings/read-file.js";
import { beginReading, type ReadFile } from "../recordings/read-files.js";
import { sayWarnings } from "../recordings/say-warnings.js";
import { entriesOf, type NewSession, sessionLines } from "../recordings/session-lines.js";
import { fileData } from "../replay/replay-data.js";
import { countOf } from "../terminal/format.js";
import { Progress } from "../terminal/progress.js";

interface ImportCommandOptions extends SessionChoice, FormatOption {
  readonly existing: "refuse" | "skip" | "replace";
}

export const command = defineCommand<ImportCommandOptions>({
  shares: ["store", "window"],
  define: (command) => {
    command
      .argument("<file...>", "recordings of agents' sessions, packed with gzip or not; - for stdin")
      .option("-s, --session <id>", "the id of the session, where the recording holds one conversation")
      .addOption(
        new Option("--existing <what>", "what to do with a session that is there already")
          .choices(["refuse", "skip", "replace"])
          .default("refuse"),
      );
    formatOption(command);
  },
  async run({ options, operands, screen, say }) {
    const names = operands[0] as unknown as readonly string[];
    if (options.session !== undefined && names.length > 1) throw severalFiles(options.session);
    // A store is not made for files that cannot be read.
    const files = await beginReading(names, readingOf(options));
    const work = (varve: Varve, loaded: LoadedConfig) => importFiles(files, { options, varve, loaded, say });
    const { data, failed } = await withVarve(options, work, { create: true });
    const lines = () => [...rowLines(data.sessions.map(row), screen), ` ${summaryText(data)}`];
    return { data, lines, exitCode: exitCodeOfFailed(failed) };
  },
});

interface Work {
  readonly options: ImportCommandOptions;
  readonly varve: Varve;
  readonly loaded: LoadedConfig;
  readonly say: (text: string) => void;
}

interface Imported {
  readonly data: ImportData;
  readonly failed: readonly FailedFile[];
}

/** File by file, so that one is held at a time. What fails is said, and the rest is taken in. */
async function importFiles(files: AsyncIterable<ReadFile>, work: Work): Promise<Imported> {
  const data: ImportData = { files: [], failed: [], sessions: [], skipped: [], entries: 0 };
  const failed: FailedFile[] = [];
  const configured = await sessionOptions(work.loaded);
  for await (const file of files) {
    if ("error" in file) {
      failed.push(file);
      continue;
    }
    sayWarnings([file], work.say);
    await importFile(file, { ...work, configured }, data).catch((error: unknown) => {
      failed.push(failedFile(file.file, error));
    });
  }
  sayFailures(failed, data.files.length, work.say);
  data.failed.push(...failed.map((each) => each.data));
  if (data.sessions.some(({ model }) => !isSized(configured) && !findModel(model ?? ""))) work.say(NO_SIZE);
  return { data, failed };
}

async function importFile(
  file: RecordingFile,
  { options, varve, configured }: Work & { readonly configured: SessionOptions },
  data: ImportData,
): Promise<void> {
  const named = nameSessions(file, options.session);
  const sessions = named.map((each) => ({ ...each, options: optionsFor(each.conversation, configured) }));
  if (options.existing === "refuse") await refuseExisting(sessions, varve);
  const report = await varve.import(withProgress(sessions), { existing: options.existing, trusted: true });
  const taken = new Set(report.sessions);
  data.files.push(fileData(file));
  data.entries += report.entries;
  data.skipped.push(...report.skipped);
  for (const { id, conversation } of sessions)
    if (taken.has(id))
      data.sessions.push({
        id,
        file: file.file,
        entries: entriesOf(conversation),
        model: conversation.model ?? null,
      });
}

/** As configured; a session whose size nothing tells takes that of the model that it was recorded with. */
function optionsFor({ model }: RecordedConversation, configured: SessionOptions): object {
  const isKnown = model !== undefined && findModel(model) !== undefined;
  return storableOptions(isSized(configured) || !isKnown ? configured : { ...configured, model });
}

const isSized = ({ window, model }: SessionOptions): boolean => window !== undefined || model !== undefined;

const NO_SIZE =
  "Nothing tells the window of these sessions: name one in varve.json, or with --window or --model when you look at them.";

function* withProgress(sessions: readonly NewSession[]): Generator<string> {
  const total = sessions.reduce((sum, { conversation }) => sum + entriesOf(conversation), 0);
  const progress = new Progress(process.stderr, { total, now: () => performance.now() });
  for (const line of sessionLines(sessions, Date.now())) {
    yield line;
    progress.advance(1, "taking in");
  }
  progress.end();
}

/** Looked at before anything of the file is taken in. */
async function refuseExisting(sessions: readonly NewSession[], varve: Varve): Promise<void> {
  for (const { id } of sessions) {
    if ((await varve.describe(id)) === undefined) continue;
    throw new VarveError({
      code: "invalid-option",
      message: `The store has a session "${id}" already.`,
      hint: "Leave it as it is with --existing skip, put the recording in its place with --existing replace, or give another id with --session.",
      details: { session: id },
    });
  }
}

const severalFiles = (id: string): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `--session ${id} names one session, and there are several files.`,
    hint: "Import the files one by one, or leave --session out.",
    details: { option: "--session", value: id },
  });

const row = ({ entries, model, id }: ImportData["sessions"][number]): string[] => [
  formatEntries(entries),
  model ?? "",
  id,
];

function summaryText({ files, failed, sessions, skipped, entries }: ImportData): string {
  const formats = [...new Set(files.map(({ format }) => format))].join(", ");
  const warnings = files.reduce((sum, file) => sum + file.warnings.length, 0);
  const parts = [
    `${countOf(sessions.length, "session")}, ${formatEntries(entries)} from ${countOf(files.length, "file")} (${formats}).`,
    ...(skipped.length === 0 ? [] : [`${countOf(skipped.length, "session")} skipped.`]),
    ...(failed.length === 0 ? [] : [`Nothing taken from ${countOf(failed.length, "other file")}.`]),
    ...(warnings === 0 ? [] : [`${countOf(warnings, "warning")}.`]),
  ];
  return parts.join(" ");
}
