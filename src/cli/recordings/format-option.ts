import { type Command, Option } from "commander";
import type { ReadRecordingOptions } from "../../wire/recordings/recording.js";
import { RECORDING_FORMATS, type RecordingFormat } from "../../wire/recordings/recording.js";
import { parseCount } from "../shared-options.js";

export interface FormatOption {
  readonly format?: RecordingFormat;
  readonly maxSize?: number;
}

const FORMATS = RECORDING_FORMATS.filter((format) => format !== "varve-export");

/** `--format`, for recordings whose format is not found by itself, and how much is read of one. */
export const formatOption = (command: Command): Command =>
  command
    .addOption(new Option("--format <name>", "the format, where it is not to be found by itself").choices(FORMATS))
    .option("--max-size <millions>", "characters of a recording, unpacked, in millions; 200 unless given", parseCount);

/** How a recording is to be read. */
export const readingOf = ({ format, maxSize }: FormatOption): ReadRecordingOptions => ({
  ...(format !== undefined && { format }),
  ...(maxSize !== undefined && { maxCharacters: maxSize * 1_000_000 }),
});
