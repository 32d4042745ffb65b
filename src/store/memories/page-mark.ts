import { invalidOption } from "../../errors.js";

/** The place that the `next` of a page names. */
export function placeOfMark(mark: string): number {
  if (/^\d{1,15}$/.test(mark)) return Number(mark);
  throw invalidOption({ option: "after", value: mark, allowed: "the `next` of the page before" });
}
