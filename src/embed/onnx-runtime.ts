import { VarveError } from "../errors.js";
import type { ModelFile } from "./model-files.js";

type Runtime = typeof import("onnxruntime-web");

/** What is used of the runtime's types, in words of our own: who does without the package has no types of it. */
export interface OnnxModel {
  readonly session: OnnxSession;
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => OnnxTensor;
}

interface OnnxTensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>;
  release(): Promise<void>;
}

/** Starts a model in WebAssembly. The number of threads holds for the whole process and is set by the first model. */
export async function loadOnnxModel({ path, bytes }: ModelFile, threads?: number): Promise<OnnxModel> {
  const { env, InferenceSession, Tensor } = await loadRuntime();
  if (threads !== undefined) env.wasm.numThreads = threads;
  try {
    return { session: await InferenceSession.create(bytes, { executionProviders: ["wasm"] }), Tensor };
  } catch (cause) {
    throw new VarveError({
      code: "embedder-unavailable",
      message: `${path} is not a model that onnxruntime-web can run.`,
      hint: "Give the path of an .onnx file without external data, as sentence-transformers exports it.",
      cause,
      details: { path },
    });
  }
}

/** The runtime is 150 MB on disk and needed by few, so that who wants it brings it. */
async function loadRuntime(): Promise<Runtime> {
  try {
    return await import("onnxruntime-web");
  } catch (cause) {
    throw new VarveError({
      code: "embedder-unavailable",
      message: "ONNX models need the package onnxruntime-web.",
      hint: "Install it: npm install onnxruntime-web@1.30.0",
      cause,
    });
  }
}
