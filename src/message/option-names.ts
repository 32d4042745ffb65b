/**
 * Names of options. A name that nobody reads is a wish that would be passed over in silence, so every function that takes
 * options refuses those it does not know. On the way where all are known nothing is allocated: views and appends are hot.
 */
import { invalidOption, VarveError } from "../errors.js";
import { nearest } from "./nearest.js";
import { isObject, type UnknownFields } from "./plain-value.js";

/** Every name that options may have, none forgotten. */
export type OptionNames<T> = { readonly [K in keyof Required<T>]: true };

/** Refuses what is no object, and names that are not known. `of` says whose options they are: "session.view". */
export function checkNames(options: unknown, known: object, of: string): UnknownFields {
  if (!isObject(options))
    throw invalidOption({ option: "options", value: options, allowed: `an object with ${namesOf(known)}` });
  const option = unknownName(options, known);
  if (option === undefined) return options;
  throw unknownOption({ option, known: Object.keys(known), of });
}

/** The first name that is not known. */
export function unknownName(options: object, known: object): string | undefined {
  for (const name in options) if (!Object.hasOwn(known, name) && Object.hasOwn(options, name)) return name;
  return undefined;
}

const NAMED = 6;

function namesOf(known: object): string {
  const names = Object.keys(known);
  return `${names.slice(0, NAMED).join(", ")}${names.length > NAMED ? " and others" : ""}`;
}

export function checkString(option: string, value: unknown): void {
  if (typeof value !== "string") throw invalidOption({ option, value, allowed: "a text" });
}

export interface UnknownOption {
  /** Its name, with the way to it: "where.tgas". */
  readonly option: string;
  readonly known: readonly string[];
  readonly of: string;
}

/** The value is not told: under a name that was mistyped it may be a key or a password. */
export function unknownOption({ option, known, of }: UnknownOption): VarveError {
  const allowed = known.join(", ");
  const meant = meantBy(option.slice(option.lastIndexOf(".") + 1), known);
  return new VarveError({
    code: "invalid-option",
    message: `There is no option ${option} of ${of}.`,
    hint: `${meant === undefined ? "" : `Did you mean ${meant}? `}Known are ${allowed}.`,
    details: { option, allowed },
  });
}

/** A slip of the pen, or a longer or shorter name for the same: dryRun for dry, idempotencyKey for key. */
function meantBy(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const isAlike = (each: string) => isPartOf(each.toLowerCase(), wanted) || isPartOf(wanted, each.toLowerCase());
  return nearest(name, known) ?? known.find(isAlike);
}

const LEAST_PART = 3;

const isPartOf = (part: string, whole: string): boolean =>
  part.length >= LEAST_PART && (whole.startsWith(part) || whole.endsWith(part));
