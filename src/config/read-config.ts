/** Reads varve.json, and checks it. What says what is wrong is loaded only where something is. */
import { dirname } from "node:path";
import { readAsset } from "../assets.js";
import { VarveError } from "../errors.js";
import { fits } from "./check-fast.js";
import type { Place } from "./check-fields.js";
import { type ConfigSource, describeSource, type Layer, objectOf, valuesOf } from "./layer.js";
import { resolvePaths } from "./paths.js";
import { parseJson } from "./read-json.js";
import { readSmall } from "./read-small.js";
import type { ConfigFile } from "./schema.js";
import { translateContextManagement } from "./translate.js";

/** A file's settings, and what is to be said about them. */
export interface ReadConfig {
  readonly layer: Layer;
  readonly notes: readonly string[];
}

/** Reads and checks a file. Where it says the same twice, varve's own words win over those of `context_management`. */
export async function readConfig(file: string, kind: "project" | "user"): Promise<ReadConfig> {
  const value = parseJson(textOf(file), file);
  const { $schema: _schema, context_management: other, ...own } = await checked(value, { file, path: "" });
  const source: ConfigSource = { kind, file };
  const { settings, notes } = translateContextManagement(other ?? {});
  const named = new Set(valuesOf(own, source).map(({ path }) => path));
  const translated = settings
    .filter(({ path }) => !named.has(path))
    .map(({ path, value: each, from }) => ({ path, value: each, source: { kind, file, key: from } }));
  const layer = resolvePaths([...translated, ...valuesOf(own, source)], dirname(file));
  return { layer, notes: notes.map((note) => `${file}: ${note}`) };
}

/** Checks a layer that comes from no file; errors name the flag or the variable. */
export async function checkLayer(layer: Layer): Promise<void> {
  for (const each of layer) {
    const name = describeSource(each.source).replace(/^environment |^flag /, "");
    try {
      await checked(objectOf([each]), { file: name, path: "", nameOf: () => name });
    } catch (error) {
      const isWrong = VarveError.isInstance(error) && error.code === "invalid-document";
      throw isWrong && each.source.kind === "flag" ? ofFlag(error, name) : error;
    }
  }
}

/** A wrong flag is wrong usage; a wrong file or variable is a wrong configuration. */
const ofFlag = ({ message, hint, details }: VarveError, option: string): VarveError =>
  new VarveError({
    code: "invalid-option",
    message,
    ...(hint !== undefined && { hint }),
    details: { ...details, option },
  });

async function checked(value: unknown, place: Place): Promise<ConfigFile> {
  schema ??= JSON.parse(new TextDecoder().decode(readAsset("varve.schema.json"))) as object;
  if (fits({ ...schema }, value)) return value as ConfigFile;
  const { checkFields } = await import("./check-fields.js");
  const { configSchema } = await import("./schema.js");
  return checkFields(configSchema, value, place);
}

/** The JSON Schema of this release, which a test holds against the schema that it is made from. */
let schema: object | undefined;

function textOf(file: string): string {
  try {
    return readSmall(file).toString("utf8");
  } catch (cause) {
    if (VarveError.isInstance(cause)) throw cause;
    const { code = "" } = cause as NodeJS.ErrnoException;
    const { message, hint } = UNREADABLE[code] ?? { message: "cannot be read", hint: "Check its permissions." };
    throw new VarveError({
      code: code === "ENOENT" ? "not-found" : "invalid-document",
      message: `The configuration file ${file} ${message}.`,
      hint,
      cause,
      details: { file },
    });
  }
}

const UNREADABLE: Readonly<Record<string, { readonly message: string; readonly hint: string }>> = {
  ENOENT: { message: "is not there", hint: "Name one that is there, or make one with `varve config init`." },
  EISDIR: { message: "is a folder", hint: "Name a file, such as FOLDER/varve.json; `varve config init` makes one." },
};
