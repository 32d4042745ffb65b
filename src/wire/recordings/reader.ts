import type { Notes } from "./notes.js";
import type { RecordedConversation, RecordingFormat } from "./recording.js";

/** Takes the JSON values of a recording one by one. */
export interface RecordingReader {
  take(value: unknown, line: number): void;
  end(): RecordedConversation[];
}

export interface FormatDefinition {
  readonly format: RecordingFormat;
  /** What its recordings have, in words that follow "it has no". */
  readonly sign: string;
  readonly recognises: (value: unknown) => boolean;
  readonly reader: (notes: Notes) => RecordingReader;
}
