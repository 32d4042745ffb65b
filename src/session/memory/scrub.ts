import { areNearlyEqual } from "../../memory/facts/duplicates.js";
import { FORGOTTEN, type ForgottenTexts } from "../../memory/forgotten-texts.js";
import { mapValue } from "../../message/map-texts.js";

/** What is shorter than this says too little to be known again in a longer text. */
const TELLING = 12;

/** A value of JSON in which no text holds one of these; the same object where none did. */
export const scrubbed = (value: unknown, told: ForgottenTexts): unknown =>
  mapValue(value, (text) => (told.isIn(text) ? FORGOTTEN : text));

/** A list of notes without those that tell what one of these texts does, or part of it. */
export const scrubbedList = (values: readonly unknown[], texts: readonly string[]): unknown[] =>
  values.filter(
    (value) => value !== FORGOTTEN && !(typeof value === "string" && texts.some((text) => tells(value, text))),
  );

const tells = (value: string, text: string): boolean =>
  value.length >= TELLING && (text.includes(value) || areNearlyEqual(value, text));
