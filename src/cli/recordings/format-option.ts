import { type Command, Option } from "commander";
import { RECORDING_FORMATS, type RecordingFormat } from "../../wire/recordings/recording.js";

export interface FormatOption {
  readonly format?: RecordingFormat;
}

const FORMATS = RECORDING_FORMATS.filter((format) => format !== "varve-export");

/** `--format`, for recordings whose format is not found by itself. */
export const formatOption = (command: Command): Command =>
  command.addOption(
    new Option("--format <name>", "the format, where it is not to be found by itself").choices(FORMATS),
  );
