import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { VarveError } from "../errors.js";
import { PLAIN_STRATEGY } from "../view/strategies/default-strategy.js";
import { checkFields } from "./check-fields.js";
import { parseJson } from "./read-json.js";
import { readSmall } from "./read-small.js";

const schema = z.strictObject({
  $schema: z.string().optional(),
  /** The agent; a session finds the strategy under this name. */
  id: z.string().min(1),
  contextStrategy: z
    .strictObject({
      type: z.literal("plugin"),
      /** A strategy that is known by name, a package, or a path from the file. */
      pluginId: z.string().min(1).optional(),
      config: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
});

/** What a plugin.json says, and where it lies. */
export interface PluginFile {
  readonly file: string;
  readonly id: string;
  readonly pluginId: string;
  readonly config: Readonly<Record<string, unknown>> | undefined;
  /** What it is to bring; a strategy unless given. */
  readonly kind?: "strategy" | "summariser" | "embedder" | "store";
}

/** Reads a plugin.json, given by its own path or by its folder's. */
export async function readPlugin(path: string): Promise<PluginFile> {
  const file = await fileAt(resolve(path));
  const { id, contextStrategy } = checkFields(schema, parseJson(textOf(file), file), { file, path: "" });
  const { pluginId = PLAIN_STRATEGY, config } = contextStrategy ?? {};
  return { file, id, pluginId, config };
}

async function fileAt(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ? join(path, "plugin.json") : path;
}

function textOf(file: string): string {
  try {
    return readSmall(file).toString("utf8");
  } catch (cause) {
    throw VarveError.isInstance(cause) ? cause : unreadable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): VarveError {
  const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
  return new VarveError({
    code: missing ? "not-found" : "invalid-plugin",
    message: missing ? `There is no plug-in file ${file}.` : `The plug-in file ${file} cannot be read.`,
    hint: "Give the path of a plugin.json, or of the folder it lies in; relative ones in a varve.json start at its folder, all others at the working directory.",
    cause,
    details: { file },
  });
}
