import type { ListingLine, ListingReader } from "./listing-line.js";

/** Above the files of one section, as `git status` prints it. */
const SECTION =
  /^(?:Changes to be committed|Changes not staged for commit|Changed but not updated|Unmerged paths|Untracked files|Ignored files)\b.{0,80}:$/;
const BRANCH = /^(?:On branch \S|HEAD detached |Not currently on any branch|## \S|No commits yet)/;
const HINT = /^\s+\(.{0,200}\)$/;
const FILE = /^\t(?:([a-z ]{3,20}):\s+)?(\S.*)$/;
/** A row of `git status --short`. */
const SHORT_FILE = /^(?! {2})([ MTADRCU?!]{2}) (\S.*)$/;
const USUAL = new Set(["modified", "new file", " M", "M ", "A ", "??"]);
const MOST = 0.95;

/** A reader for what `git status` prints in its long or its short form; undefined for anything else. */
export function readStatusLines(sample: readonly string[]): ListingReader | undefined {
  if (sample.some((line) => SECTION.test(line)) && sample.slice(0, 3).some((line) => BRANCH.test(line)))
    return readSections();
  const files = sample.filter((line) => SHORT_FILE.test(line)).length;
  return files > 2 && files >= (sample.length - 1) * MOST ? readShort : undefined;
}

function readSections(): ListingReader {
  let section = "";
  return (line) => {
    if (line.trim() === "" || HINT.test(line)) return undefined;
    const [, state = "", path] = FILE.exec(line) ?? [];
    if (path !== undefined) return file(`${section} ${state}`, state, path);
    if (SECTION.test(line)) section = line;
    return { role: "remark", key: line };
  };
}

const readShort: ListingReader = (line) => {
  const [, state, path] = SHORT_FILE.exec(line) ?? [];
  if (state !== undefined && path !== undefined) return file(state, state, path);
  return line.trim() === "" ? undefined : { role: "remark", key: line };
};

/** Files of one state and one directory are of one group. */
function file(group: string, state: string, path: string): ListingLine {
  const directory = path.slice(0, path.lastIndexOf("/") + 1);
  return { role: "entry", key: `${group} ${directory}`, isRare: state !== "" && !USUAL.has(state) };
}
