/**
 * Writes ONNX models of a few hundred bytes: an encoder whose states are rows of a table, each with the sum of all rows
 * under the attention mask added to it. A wrong mask or a wrong batch changes its vectors.
 */
export interface TinyModel {
  /** A row for each token; the first is that of the padding. */
  readonly rows: readonly (readonly number[])[];
  readonly inputs?: readonly string[];
  /** Sums go over the whole batch, as scales do in a model that is quantised as it runs. */
  readonly mixesBatch?: boolean;
  /** Stands in the file and does nothing. */
  readonly comment?: string;
}

const INPUTS = ["input_ids", "attention_mask"];
const [FLOAT, INT64] = [1, 7];

export function tinyOnnx({ rows, inputs = INPUTS, mixesBatch = false, comment = "" }: TinyModel): Uint8Array {
  const size = rows[0]!.length;
  const axes = mixesBatch ? BigInt64Array.of(0n, 1n) : BigInt64Array.of(1n);
  const graph = [
    node("Gather", ["table", "input_ids"], "states"),
    node("Cast", ["attention_mask", { to: FLOAT }], "mask"),
    node("Unsqueeze", ["mask", "last_axis"], "column"),
    node("Mul", ["states", "column"], "masked"),
    node("ReduceSum", ["masked", "sum_axes"], "sum"),
    node("Add", ["states", "sum"], "last_hidden_state"),
    text(2, "tiny"),
    tensor("table", [rows.length, size], Float32Array.from(rows.flat())),
    tensor("last_axis", [1], BigInt64Array.of(2n)),
    tensor("sum_axes", [axes.length], axes),
    ...inputs.map((name) => value(11, name, [INT64, "batch", "length"])),
    value(12, "last_hidden_state", [FLOAT, "batch", "length", size]),
  ];
  const operators = group(8, [text(1, ""), number(2, 13)]);
  return Buffer.concat([number(1, 8), text(2, comment), group(7, graph), operators]);
}

type Operand = string | Readonly<Record<string, number>>;

/** Operands are names of what goes in, and attributes, which are whole numbers. */
function node(operator: string, operands: readonly Operand[], output: string): Buffer {
  const parts = operands.flatMap((operand) =>
    typeof operand === "string"
      ? text(1, operand)
      : Object.entries(operand).map(([name, content]) => group(5, [text(1, name), number(3, content), number(20, 2)])),
  );
  return group(1, [...parts, text(2, output), text(4, operator)]);
}

function tensor(name: string, shape: readonly number[], data: Float32Array | BigInt64Array): Buffer {
  const type = data instanceof Float32Array ? FLOAT : INT64;
  const parts = [...shape.map((each) => number(1, each)), number(2, type), text(8, name)];
  return group(5, [...parts, field(9, Buffer.from(data.buffer))]);
}

function value(tag: number, name: string, [type, ...shape]: readonly [number, ...(string | number)[]]): Buffer {
  const dimensions = shape.map((each) => group(1, [typeof each === "number" ? number(1, each) : text(2, each)]));
  return group(tag, [text(1, name), group(2, [group(1, [number(1, type), group(2, dimensions)])])]);
}

const group = (tag: number, parts: readonly Buffer[]): Buffer => field(tag, Buffer.concat(parts));
const text = (tag: number, content: string): Buffer => field(tag, Buffer.from(content));
const number = (tag: number, content: number): Buffer => Buffer.concat([varint(tag << 3), varint(content)]);
const field = (tag: number, content: Buffer): Buffer =>
  Buffer.concat([varint((tag << 3) | 2), varint(content.length), content]);

/** Protocol buffers write numbers seven bits at a time, the lowest first. */
const varint = (content: number): Buffer =>
  content < 128 ? Buffer.from([content]) : Buffer.concat([Buffer.from([(content & 127) | 128]), varint(content >>> 7)]);
