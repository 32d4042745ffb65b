/**
 * LangSmith: runs (`run_type`, `inputs`, `outputs`, `trace_id`, `child_runs`; the run data format of its documentation),
 * one a line, in a list, or under `runs` or `data`; and examples of datasets, which have inputs and outputs alone.
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
  type WireObject,
} from "./fields.js";
import type { Notes } from "./notes.js";
import type { FormatDefinition, RecordingReader } from "./reader.js";
import type { RecordedConversation } from "./recording.js";
import { TracedCalls } from "./trace-calls.js";
import { rawMessages } from "./trace-messages.js";
import { type CallUsage, openaiUsage } from "./usage.js";

export const langSmith: FormatDefinition = {
  format: "langsmith",
  sign: "object with inputs and outputs",
  recognises: (value) => isRun(value) || runsIn(value).some(isRun),
  reader: (notes) => new LangSmithReader(notes),
};

const isRun = (value: unknown): value is WireObject =>
  isObject(value) && isObject(value.inputs) && (typeof value.run_type === "string" || "outputs" in value);

const runsIn = (value: unknown): readonly unknown[] =>
  isObject(value) ? listField(value.runs ?? value.data ?? value.examples) : [];

class LangSmithReader implements RecordingReader {
  readonly #notes: Notes;
  readonly #calls = new TracedCalls();

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  take(value: unknown): void {
    if (isRun(value)) this.#takeRun(value);
    else if (runsIn(value).length > 0) for (const run of runsIn(value)) this.take(run);
    else this.#notes.unknown(objectField(value).run_type ?? objectField(value).type);
  }

  end(): RecordedConversation[] {
    return this.#calls.conversations(this.#notes);
  }

  #takeRun(run: WireObject): void {
    const id = textField(run.run_id) ?? textField(run.id) ?? "";
    const trace = textField(run.trace_id) ?? id;
    const metadata = metadataOf(run);
    this.#calls.add({
      trace,
      thread: textField(metadata.session_id) ?? textField(metadata.thread_id) ?? textField(metadata.conversation_id),
      isModelCall: run.run_type === "llm",
      time: timeField(run.start_time),
      input: rawMessages(run.inputs, "user"),
      output: rawMessages(run.outputs, "assistant"),
      about: aboutOf(run, trace),
      usage: usageOf(run),
    });
    for (const child of listField(run.child_runs)) if (isObject(child)) this.take({ trace_id: trace, ...child });
  }
}

const metadataOf = (run: WireObject): WireObject => objectField(objectField(run.extra).metadata ?? run.metadata);

function aboutOf(run: WireObject, trace: string): About {
  const called = objectField(objectField(run.extra).invocation_params);
  return defined<About>({
    id: textField(trace),
    title: textField(run.name),
    model: textField(metadataOf(run).ls_model_name) ?? textField(called.model) ?? textField(called.model_name),
    tools: toolsField(called.tools),
  });
}

function usageOf(run: WireObject): CallUsage | undefined {
  const outputs = objectField(run.outputs);
  const reports = [outputs.usage_metadata, objectField(outputs.llm_output).token_usage, outputs.usage, run];
  return reports.map(openaiUsage).find((usage) => usage !== undefined);
}
