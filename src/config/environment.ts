import { nearest } from "../message/nearest.js";
import type { ConfigValue, Layer } from "./layer.js";
import { resolvePaths } from "./paths.js";
import { OTHER_VARIABLES, type SettingKind, VARIABLES } from "./settings.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment says; empty variables say nothing. */
export function environmentLayer(environment: Environment, folder: string): Layer {
  const values = Object.entries(VARIABLES).flatMap(([name, { path, kind }]): ConfigValue[] => {
    const text = environment[name];
    if (text === undefined || text === "") return [];
    return [{ ...settled(path, parseSetting(text, kind)), source: { kind: "environment", name } }];
  });
  const window = values.findLast(({ path }) => path === "window")?.value;
  return resolvePaths(
    values.map((each) => withShare(each, window)),
    folder,
  );
}

/** "built-in" and "extractive" are names, all else is a model's. */
function settled(path: string, value: unknown): { path: string; value: unknown } {
  const [outer = "", inner] = path.split(".");
  if (outer !== "embedder" && outer !== "summariser") return { path, value };
  const isName = value === "built-in" || value === "extractive";
  return { path: outer, value: isName ? value : { [inner!]: value } };
}

/** A value as its kind has it; the text itself where it is none of that kind, for the check to refuse. */
function parseSetting(text: string, kind: SettingKind): unknown {
  if (kind === "number") return numberOf(text.replace(/[_,]/g, "")) ?? text;
  if (kind === "share")
    return text.endsWith("%") ? (percent(text) ?? text) : (numberOf(text.replace(/[_,]/g, "")) ?? text);
  if (kind === "switch") return SWITCH.get(text.toLowerCase()) ?? text;
  return text;
}

const SWITCH = new Map([
  ...["1", "true", "on", "yes"].map((word) => [word, true] as const),
  ...["0", "false", "off", "no"].map((word) => [word, false] as const),
]);

const numberOf = (text: string): number | undefined =>
  text.trim() === "" || !Number.isFinite(Number(text)) ? undefined : Number(text);

function percent(text: string): number | undefined {
  const number = numberOf(text.slice(0, -1));
  return number === undefined ? undefined : number / 100;
}

const SHARES = new Set(["trigger", "target"]);
const WINDOW = 64_000;

/** A trigger or a target above 1 is a number of tokens of the window. */
function withShare(each: ConfigValue, window: unknown): ConfigValue {
  const { path, value } = each;
  if (!SHARES.has(path) || typeof value !== "number" || value <= 1) return each;
  return { ...each, value: value / (typeof window === "number" ? window : WINDOW) };
}

/** Variables that look like varve's and are none. */
export function unknownVariables(environment: Environment): string[] {
  const known = [...Object.keys(VARIABLES), ...OTHER_VARIABLES];
  return Object.keys(environment)
    .filter((name) => name.startsWith("VARVE_") && !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known);
      return `The environment variable ${name} is not read.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
    });
}
