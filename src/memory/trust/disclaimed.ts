/** A text that says of itself that it is not to be relied on. */
const DISCLAIMED =
  /\b(?:unverified|unconfirmed|not (?:yet )?(?:authoritative|confirmed|verified|official)|(?:must|should|does|do) not (?:override|overrule|replace)|(?:similar|related) (?:\w+ )?(?:note|feedback|item|mention|message|result)s? from (?:another|other|an older|a different|somewhere else)|(?:just|only) a rumou?r|hearsay|don['’]t quote me)\b/i;

/** How far into a text it is looked for: what a text says of itself stands near its beginning or in a short text. */
const READ = 2_000;

/**
 * Whether a text says that it is not to be relied on. It is kept and found, but counts less than what was said firmly.
 *
 * @example
 * ```ts
 * isDisclaimed("An unverified note says 3.11"); // true
 * ```
 */
export const isDisclaimed = (text: string): boolean => DISCLAIMED.test(text.slice(0, READ));
