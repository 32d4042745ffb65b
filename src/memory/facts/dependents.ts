/** What ends with what: a title is held at an employer, an address lies in a city. */
const ENDS_WITH: Readonly<Record<string, string>> = {
  "job title": "employer",
  address: "home city",
  "home country": "home city",
  spouse: "marital status",
  "field of study": "school",
};

/**
 * Whether a value that was told in one breath with another ends when that one does.
 *
 * @example
 * ```ts
 * endsWith("user/job title", "user/employer"); // true
 * endsWith("user/job title", "ann/employer"); // false
 * ```
 */
export function endsWith(slot: string, other: string): boolean {
  const [subject, attribute] = partsOf(slot);
  const [otherSubject, otherAttribute] = partsOf(other);
  return subject === otherSubject && ENDS_WITH[attribute] === otherAttribute;
}

function partsOf(slot: string): readonly [string, string] {
  const at = slot.lastIndexOf("/");
  return [slot.slice(0, at), slot.slice(at + 1)];
}
