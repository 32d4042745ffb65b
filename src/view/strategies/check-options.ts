/** Options as schemas: a mistake is named where it is made, and not found out by a view. */
import { z } from "zod";
import { describeValue, type OptionRefusal, VarveError } from "../../errors.js";
import { unknownOption } from "../../message/option-names.js";
import { isObject } from "../../message/plain-value.js";
import { schemaFault, valueAt } from "../../message/schema-fault.js";
import { A_SUMMARISER, type Summariser } from "../../notes/summariser.js";
import { windowFields } from "../settings.js";
import type { Archive } from "../strategy.js";

const number = (allowed: string, holds: (value: number) => boolean) =>
  z.custom<number>((value) => typeof value === "number" && holds(value), allowed);

/** "of what" is said in errors: "a whole number of turns from 1". */
export const whole = (least: number, ofWhat = "") =>
  number(`a whole number${ofWhat} from ${least}`, (value) => Number.isSafeInteger(value) && value >= least);
export const positive = (what: string) => number(`${what} above 0`, (value) => value > 0);
export const tokens = number("a number of tokens from 0", (value) => value >= 0 && Number.isFinite(value));
export const milliseconds = number("milliseconds since the epoch, as Date.now() tells them", Number.isFinite);
/** Above nothing: a part of no size could show nothing. */
export const share = number("a share above 0 and up to 1", (value) => value > 0 && value <= 1);
export const shareOrNone = number("a share from 0 to 1", (value) => value >= 0 && value <= 1);
export const called = <T>(allowed: string) => z.custom<T>((value) => typeof value === "function", allowed);
/** Something with a method of this name. */
export const having = <T>(method: string, allowed: string) =>
  z.custom<T>((value) => isObject(value) && typeof value[method] === "function", allowed);
export const summariser = having<Summariser>("summarise", A_SUMMARISER);

/** What counts where a strategy works alone; inside a session the session's own options do. */
export const aloneFields = { ...windowFields, archive: called<Archive>("a function that takes messages").optional() };
/** How the end of a history is shown. */
export const tailFields = {
  /** Messages at the end that a cut spares as long as they fit; 2 unless given, 6 for the sliding window. */
  lockLast: whole(0, " of messages").optional(),
  /** Share of the usable tokens that one tool result may take; 0.25 unless given. */
  resultShare: share.optional(),
};

/** The options that were given, those without a value left out. Refuses names that are not known and values that cannot be. */
export function checkedOptions<S extends z.ZodObject>(of: string, schema: S, options: unknown): z.output<S> {
  const known = Object.keys(schema.shape);
  const named = Object.fromEntries(known.map((name) => [name, undefined]));
  const parsed = schema.safeParse(isObject(options) ? { ...named, ...options } : options);
  if (parsed.success)
    return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined)) as z.output<S>;
  const { path, message, unknown } = schemaFault(parsed.error);
  const at = unknown === undefined ? path : path.slice(0, -1);
  if (unknown !== undefined && at.length === 0) throw unknownOption({ option: unknown, known, of });
  const allowed = at.length === 0 ? "an object" : message;
  throw refused({ of, option: at.map(String).join(".") || "options", value: valueAt(options, at), allowed });
}

/** An option that cannot be what it is, and whose it is. */
export const refused = ({ of, option, value, allowed }: OptionRefusal & { readonly of: string }): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `The option ${option} of ${of} is ${describeValue(value)}.`,
    hint: `Give ${option} as ${allowed}.`,
    details: { option, value, allowed },
  });
