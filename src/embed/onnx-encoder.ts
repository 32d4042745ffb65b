import { VarveError } from "../errors.js";
import { noDirection, toUnitLength } from "./embedder.js";
import type { OnnxModel } from "./onnx-runtime.js";

export type Pooling = "mean" | "cls";

export interface EncoderOptions {
  readonly name: string;
  readonly pooling: Pooling;
  readonly padding: number;
}

/** Turns lists of token ids into vectors of length 1, all in one run of the model. */
export type Encode = (lists: readonly (readonly number[])[]) => Promise<readonly Float32Array[]>;

/** Ids of a batch, the shorter ones filled up, as the model takes them. */
interface Batch {
  readonly ids: BigInt64Array;
  readonly mask: BigInt64Array;
  readonly shape: readonly [rows: number, width: number];
}

/** The state of each token, or one vector for each text where the model pools by itself. */
interface Hidden {
  readonly data: Float32Array;
  readonly dimensions: readonly number[];
}

/** An encoder of the BERT kind. Runs of one model must not overlap; the caller sees to that. */
export function createEncoder(model: OnnxModel, options: EncoderOptions): Encode {
  return async (lists) => {
    const batch = toBatch(lists, options.padding);
    const hidden = await runModel(model, batch, options.name);
    return lists.map((list, row) => {
      const vector = pool(hidden, row, options.pooling === "cls" ? 1 : list.length);
      if (toUnitLength(vector)) return vector;
      throw noDirection(options.name, row);
    });
  };
}

function toBatch(lists: readonly (readonly number[])[], padding: number): Batch {
  const width = Math.max(...lists.map((list) => list.length));
  const ids = new BigInt64Array(lists.length * width).fill(BigInt(padding));
  const mask = new BigInt64Array(lists.length * width);
  for (const [row, list] of lists.entries()) {
    for (const [at, id] of list.entries()) ids[row * width + at] = BigInt(id);
    mask.fill(1n, row * width, row * width + list.length);
  }
  return { ids, mask, shape: [lists.length, width] };
}

async function runModel({ session, Tensor }: OnnxModel, { ids, mask, shape }: Batch, name: string): Promise<Hidden> {
  const inputs: Readonly<Record<string, BigInt64Array>> = {
    input_ids: ids,
    attention_mask: mask,
    token_type_ids: new BigInt64Array(ids.length),
  };
  const feeds = session.inputNames.map((input) => {
    const data = inputs[input];
    if (data === undefined) throw notAnEncoder(name, `it asks for ${input}`);
    return [input, new Tensor("int64", data, shape)] as const;
  });
  const outputs = await session.run(Object.fromEntries(feeds));
  const output = outputs.last_hidden_state ?? outputs[session.outputNames[0] ?? ""];
  if (output === undefined || !(output.data instanceof Float32Array) || output.dims[0] !== shape[0]) {
    throw notAnEncoder(name, "its output is not a list of float32 numbers for each text");
  }
  return { data: output.data, dimensions: output.dims };
}

/** The sum of a text's first states, of which the direction is their mean's. */
function pool({ data, dimensions }: Hidden, row: number, tokens: number): Float32Array {
  const size = dimensions.at(-1) ?? 0;
  const width = dimensions.length === 3 ? dimensions[1]! : 1;
  const sum = new Float64Array(size);
  for (let token = 0; token < Math.min(tokens, width); token++) {
    const start = (row * width + token) * size;
    for (let at = 0; at < size; at++) sum[at]! += data[start + at]!;
  }
  return new Float32Array(sum);
}

const notAnEncoder = (name: string, why: string): VarveError =>
  new VarveError({
    code: "embedding-failed",
    message: `The model ${name} is no text encoder: ${why}.`,
    hint: "Give the path of an encoder of the BERT kind with the inputs input_ids and attention_mask.",
    details: { embedder: name },
  });
