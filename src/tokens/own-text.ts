/** V8 keeps a part of a text that is longer than this as a reference to the whole. */
const LONGEST_COPY = 12;

/** A text of its own: what a cache keeps of a long text must not keep all of it in memory. */
export const ownText = (part: string): string =>
  part.length <= LONGEST_COPY ? part : Buffer.from(part, "utf16le").toString("utf16le");
