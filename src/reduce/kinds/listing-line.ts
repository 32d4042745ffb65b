/**
 * What a line of a listing is: an entry of a group, the heading above the entries of its group, a remark of the tool
 * about itself, or the context of a match.
 */
export interface ListingLine {
  readonly role: "entry" | "heading" | "remark" | "context";
  /** Lines of one group have one key. */
  readonly key: string;
  /** Whether the group matters more than its size tells. */
  readonly isRare?: boolean;
}

/** Reads lines in their order; undefined for one that says nothing. */
export type ListingReader = (line: string) => ListingLine | undefined;

/** A tool that speaks of itself: `find: ‘./secret’: Permission denied`. */
export const SPOKEN = /^(?:[\w./\\+-]{1,80}: \S|Binary file )/;
/** What differs between remarks of one sort. */
const NAMED = /['"‘`“][^'"’`”]{1,300}['"’`”]|\S*[/\\]\S*|\d+/g;

export function remarkSort(line: string): string {
  return line.replace(NAMED, "#");
}
