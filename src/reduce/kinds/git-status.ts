import type { ListingLine, ListingReader } from "./listing-line.js";

/** Above the files of one section, as `git status` prints it. */
const SECTION =
  /^(?:Changes to be committed|Changes not staged for commit|Changed but not updated|Unmerged paths|Untracked files|Ignored files)\b.{0,80}:$/;
const BRANCH =
  /^(?:On branch \S|HEAD detached |(?:interactive )?rebase in progress|Not currently on any branch|## \S|No commits yet)/;
const HINT = /^\s+\(.{0,200}\)$/;
const FILE =
  /^\t(?:(modified|new file|deleted|renamed|copied|typechange|unmerged|unknown|both (?:modified|added|deleted)|(?:added|deleted) by (?:us|them)):\s+)?(\S.*)$/;
/** What it says besides of the branch, of what is under way, and of what to do. */
const SENTENCE =
  /^(?:Your branch |You are |You have |All conflicts fixed|Your stash currently|Submodule|Last commands? done|Next commands? to do|No commands (?:done|remaining)|Initial commit|and have \d+ and \d+ different|no changes added to commit|nothing (?:added )?to commit|It took [\d.]+ seconds|\* [0-9a-f]{7,} | {3}(?:pick|reword|edit|squash|fixup|exec|drop|label|reset|merge)\b)/;
/** A row of `git status --short`. */
const SHORT_FILE = /^(?! {2})([ MTADRCU?!]{2}) (\S.*)$/;
const USUAL = new Set(["modified", "new file", " M", "M ", "A ", "??"]);
const MOST = 0.95;
const MOST_SAID = 0.9;

/** A reader for what `git status` prints in its long or its short form; undefined for anything else. */
export function readStatusLines(sample: readonly string[]): ListingReader | undefined {
  if (isLongForm(sample)) return readSections();
  const files = sample.filter((line) => SHORT_FILE.test(line)).length;
  return files > 2 && files >= (sample.length - 1) * MOST ? readShort : undefined;
}

/** Whether there is hardly a line that `git status` does not print: what another command printed below is none of it. */
function isLongForm(sample: readonly string[]): boolean {
  if (!sample.some((line) => SECTION.test(line)) || !sample.slice(0, 3).some((line) => BRANCH.test(line))) return false;
  const read = readSections();
  const said = sample.filter((line) => read(line)?.role !== "remark" || isSaid(line)).length;
  return said >= sample.length * MOST_SAID;
}

const isSaid = (line: string): boolean => SECTION.test(line) || BRANCH.test(line) || SENTENCE.test(line);

/** A section ends with the first line that is not of `git status`; what is indented below is no file of it. */
function readSections(): ListingReader {
  let section: string | undefined;
  return (line) => {
    if (line.trim() === "" || HINT.test(line)) return undefined;
    const [, state = "", path] = section === undefined ? [] : (FILE.exec(line) ?? []);
    if (path !== undefined) return file(`${section} ${state}`, state, path);
    if (SECTION.test(line)) section = line;
    else if (!isSaid(line)) section = undefined;
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
