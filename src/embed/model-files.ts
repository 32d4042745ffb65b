import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { VarveError } from "../errors.js";

export interface ModelFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Reads the first of these files that can be read; where none can, the error tells of the first, with the hint given. */
export async function readModelFile(paths: readonly string[], hint: string): Promise<ModelFile> {
  const failures: unknown[] = [];
  for (const path of paths) {
    try {
      return { path, bytes: await readFile(path) };
    } catch (failure) {
      failures.push(failure);
    }
  }
  throw new VarveError({
    code: "embedder-unavailable",
    message: `${paths[0]} cannot be read.`,
    hint,
    cause: failures[0],
    details: { paths },
  });
}

/** Where models have their tokenizer: beside them, or one folder up. */
export const tokenizerPaths = (model: string): readonly string[] =>
  [".", ".."].map((folder) => join(dirname(model), folder, "tokenizer.json"));

/** What a model's file tells of it: its name, and a part of the hash of its content. */
export const fileIdentity = ({ path, bytes }: ModelFile): string =>
  `${basename(path, ".onnx")}:${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}`;
