import { SEVERE } from "../line-rules.js";
import { readStatusLines } from "./git-status.js";
import { type ListingLine, type ListingReader, remarkSort, SPOKEN } from "./listing-line.js";

/** `path:12:text`, as grep and ripgrep print it. */
const MATCH = /^[^\s:][^:]{0,300}:\d+[:-]/;
/** `path-12-text`, a line near a match. */
const NEAR_MATCH = /^([^\s:].{0,300}?)-\d+-/;
const SEPARATOR = "--";
/** A path alone on its line, as find, git ls-files and glob print it. A variable with its value is none. */
const PATH = /^(?!\w+=)(?:\.{0,2}\/|[A-Za-z]:\\)?[\w@.+~-][^\s:*?"<>|]{0,400}$/;
/** A match below the line that names its file, and a line near it. */
const HEADED_MATCH = /^(\d+):/;
const HEADED_NEAR = /^\d+-/;
const MOST = 0.9;
/** The other lines may be complaints of the tool. */
const FEWEST_PATHS = 0.3;

const share = (lines: readonly string[], test: (line: string) => boolean): number =>
  lines.filter(test).length / Math.max(1, lines.length);
const isPath = (line: string): boolean => PATH.test(line);

function isRemark(line: string): boolean {
  if (MATCH.test(line) || isPath(line)) return false;
  return !/[/\\]/.test(line) || SPOKEN.test(line) || SEVERE.test(line);
}

/** How the lines of a listing are to be read; undefined if a sample of them is none. */
export function listingReader(sample: readonly string[]): ListingReader | undefined {
  const status = readStatusLines(sample);
  if (status !== undefined) return status;
  if (isHeaded(sample)) return readHeaded();
  if (hasContext(sample)) return readPlain(true);
  return isPlain(sample) ? readPlain(false) : undefined;
}

/** Whether nearly all lines are matches of a search, or paths of which most name a directory. */
function isPlain(sample: readonly string[]): boolean {
  if (share(sample, (line) => MATCH.test(line)) > 0.7) return true;
  const paths = sample.filter(isPath);
  const nested = paths.filter((line) => /[/\\]/.test(line)).length;
  if (paths.length < sample.length * FEWEST_PATHS || nested * 2 <= paths.length) return false;
  return share(sample, (line) => isPath(line) || SPOKEN.test(line)) > MOST;
}

/** Whether matches stand among lines near them, of which some are of the same files. */
function hasContext(sample: readonly string[]): boolean {
  const files = new Set(sample.filter((line) => MATCH.test(line)).map(matchedFile));
  const near = sample.flatMap((line) => NEAR_MATCH.exec(line)?.[1] ?? []).filter((file) => /[./\\]/.test(file));
  if (!near.some((file) => files.has(file))) return false;
  return share(sample, (line) => MATCH.test(line) || NEAR_MATCH.test(line) || line === SEPARATOR) > MOST;
}

/** Whether files are named above their matches. Where the numbers follow one another, it is files that are shown. */
function isHeaded(sample: readonly string[]): boolean {
  const numbers = sample.flatMap((line) => HEADED_MATCH.exec(line)?.[1] ?? []).map(Number);
  const files = sample.filter((line) => isFile(line)).length;
  const others = share(sample, (line) => line !== SEPARATOR && !HEADED_NEAR.test(line));
  if (files < 2 || numbers.length < Math.max(files, sample.length * 0.05)) return false;
  if ((files + numbers.length) / sample.length < others * MOST) return false;
  const consecutive = numbers.filter((number, at) => number === (numbers[at - 1] ?? 0) + 1).length;
  return consecutive < numbers.length / 2;
}

function isFile(line: string): boolean {
  return /[./\\]/.test(line) && isPath(line) && !HEADED_NEAR.test(line);
}

function readHeaded(): ListingReader {
  let file = "";
  return (line) => {
    if (line.trim() === "" || line === SEPARATOR) return undefined;
    if (HEADED_MATCH.test(line)) return { role: "entry", key: file };
    if (HEADED_NEAR.test(line)) return { role: "context", key: file };
    if (!isFile(line)) return remark(line);
    file = line;
    return { role: "heading", key: file };
  };
}

function readPlain(hasNear: boolean): ListingReader {
  return (line) => {
    if (line.trim() === "" || line === SEPARATOR) return undefined;
    if (MATCH.test(line)) return { role: "entry", key: matchedFile(line) };
    if (hasNear && NEAR_MATCH.test(line)) return { role: "context", key: "" };
    return isRemark(line) ? remark(line) : { role: "entry", key: pathGroup(line) };
  };
}

function remark(line: string): ListingLine {
  return { role: "remark", key: `remark ${remarkSort(line)}` };
}

function matchedFile(line: string): string {
  return line.slice(0, line.indexOf(":", 2));
}

/** The directory and the extension of a path. */
function pathGroup(path: string): string {
  const slash = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  const dot = path.lastIndexOf(".");
  return `${path.slice(0, slash + 1)}*${dot > slash + 1 ? path.slice(dot) : ""}`;
}
