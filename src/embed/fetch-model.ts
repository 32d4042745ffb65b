import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { VarveError } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { checkAddress, checkText } from "../model/check-options.js";
import type { Fetch } from "../model/post-json.js";

export interface FetchModelOptions {
  readonly url: string;
  /** What the file must be, in hexadecimal digits; nothing else is ever put in its place. */
  readonly sha256: string;
  /** Path of the file; missing folders are made. */
  readonly to: string;
  /** Told of the bytes received, and of all that are to come where the server says so. */
  readonly onProgress?: (received: number, total: number | undefined) => void;
  readonly signal?: AbortSignal;
  readonly fetch?: Fetch;
}

const OPTIONS: OptionNames<FetchModelOptions> = {
  url: true,
  sha256: true,
  to: true,
  onProgress: true,
  signal: true,
  fetch: true,
};

/**
 * Fetches a model's file once: one that is there already is checked and left as it is.
 *
 * @example
 * ```ts
 * await fetchModel({ url: "https://models.example/minilm.onnx", sha256: "afdb6f1a…", to: "./models/minilm.onnx" });
 * ```
 */
export async function fetchModel(options: FetchModelOptions): Promise<void> {
  checkNames(options, OPTIONS, "fetchModel");
  checkAddress("url", options.url, "https://models.example/minilm.onnx");
  checkText("to", options.to, "./models/minilm.onnx");
  const wanted = checkText("sha256", options.sha256, "afdb6f1a…").toLowerCase();
  if ((await hashOf(options.to)) === wanted) return;
  const part = `${options.to}.${randomUUID()}.part`;
  try {
    await mkdir(dirname(options.to), { recursive: true });
    const found = await download(options, part);
    if (found !== wanted) throw new Error(`its SHA-256 is ${found} in place of ${wanted}`);
    await rename(part, options.to);
  } catch (cause) {
    await rm(part, { force: true });
    throw failure(options, cause);
  }
}

async function hashOf(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk);
    return hash.digest("hex");
  } catch {
    return undefined;
  }
}

/** Writes the answer to a file as it comes, and says what it is. */
async function download({ url, signal, onProgress, fetch: send }: FetchModelOptions, to: string): Promise<string> {
  const response = await (send ?? globalThis.fetch)(url, { ...(signal && { signal }) });
  if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`);
  const total = Number(response.headers.get("content-length")) || undefined;
  const hash = createHash("sha256");
  const file = await open(to, "wx");
  let received = 0;
  try {
    for await (const chunk of response.body) {
      hash.update(chunk);
      await file.writeFile(chunk);
      received += chunk.length;
      onProgress?.(received, total);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest("hex");
}

function failure({ url, to, signal }: FetchModelOptions, cause: unknown): VarveError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new VarveError({
    code: signal?.aborted ? "aborted" : "embedder-unavailable",
    message: `${to} could not be fetched from ${url}: ${why}.`,
    hint: "Check the address and the network, or put the file there by hand.",
    cause,
    details: { url, path: to },
  });
}
