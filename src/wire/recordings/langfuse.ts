/**
 * Langfuse: observations (`type: "GENERATION"`, `traceId`, `input`, `output`) and traces with their `observations`, as
 * its API, its exports and its blob storage (snake_case, values as JSON text) give them; alone, in a list, one a line,
 * or under `data`.
 */
import type { About } from "./conversation-builder.js";
import {
  defined,
  isObject,
  listField,
  objectField,
  textField,
  timeField,
  toolsField,
  unquoted,
  type WireObject,
} from "./fields.js";
import type { Notes } from "./notes.js";
import type { FormatDefinition, RecordingReader } from "./reader.js";
import type { RecordedConversation } from "./recording.js";
import { TracedCalls } from "./trace-calls.js";
import { rawMessages } from "./trace-messages.js";
import { openaiUsage } from "./usage.js";

export const langfuse: FormatDefinition = {
  format: "langfuse",
  sign: "observation with traceId, input and output, and no trace with observations",
  recognises: (value) => isKnown(value) || rowsIn(value).some(isKnown),
  reader: (notes) => new LangfuseReader(notes),
};

const isObservation = (value: WireObject): boolean =>
  typeof (value.traceId ?? value.trace_id) === "string" &&
  typeof value.type === "string" &&
  /^[A-Z]+$/.test(value.type);

const isTrace = (value: WireObject): boolean =>
  Array.isArray(value.observations) ||
  (typeof value.id === "string" &&
    "input" in value &&
    "output" in value &&
    ("sessionId" in value || "session_id" in value));

const isKnown = (value: unknown): value is WireObject => isObject(value) && (isObservation(value) || isTrace(value));

const rowsIn = (value: unknown): readonly unknown[] => (isObject(value) ? listField(value.data) : []);

class LangfuseReader implements RecordingReader {
  readonly #notes: Notes;
  readonly #calls = new TracedCalls();

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  take(value: unknown): void {
    if (!isKnown(value)) {
      if (rowsIn(value).length === 0) this.#notes.unknown(objectField(value).type);
      for (const row of rowsIn(value)) this.take(row);
    } else if (isObservation(value)) this.#add(value, {});
    else this.#takeTrace(value);
  }

  end(): RecordedConversation[] {
    return this.#calls.conversations(this.#notes);
  }

  /** A download has the trace's own fields under `trace`. */
  #takeTrace(value: WireObject): void {
    const trace = { ...value, ...objectField(value.trace) };
    for (const observation of listField(value.observations))
      if (isObject(observation)) this.#add({ traceId: trace.id, ...observation }, trace);
    this.#add({ ...trace, traceId: trace.id, type: "TRACE" }, trace);
  }

  #add(row: WireObject, trace: WireObject): void {
    const id = textField(row.traceId) ?? textField(row.trace_id) ?? "";
    const input = unquoted(row.input);
    this.#calls.add({
      trace: id,
      thread: sessionOf(trace) ?? sessionOf(row),
      isModelCall: row.type === "GENERATION",
      time: timeField(row.startTime ?? row.start_time ?? row.timestamp),
      input: rawMessages(input, "user"),
      output: rawMessages(row.output, "assistant"),
      about: aboutOf({ ...row, input }, trace, id),
      usage: openaiUsage(unquoted(row.usageDetails ?? row.usage_details ?? row.usage)),
    });
  }
}

const sessionOf = ({ sessionId, session_id: id }: WireObject): string | undefined =>
  textField(sessionId) ?? textField(id);

function aboutOf(row: WireObject, trace: WireObject, id: string): About {
  const models = [row.model, row.provided_model_name, row.providedModelName];
  return defined<About>({
    id: textField(id),
    title: textField(trace.name) ?? textField(row.traceName) ?? textField(row.trace_name) ?? textField(row.name),
    model: models.map(textField).find((model) => model !== undefined),
    tools: toolsField(objectField(row.input).tools),
  });
}
