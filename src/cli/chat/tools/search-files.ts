import { lstat, readFile, stat } from "node:fs/promises";
import type { Place } from "./place.js";
import { type ChatTool, textIn } from "./tool.js";
import { walk } from "./walk.js";

const MOST = 200;
const LARGEST = 1_000_000;
const LONGEST = 300;

export const searchFilesTool = (place: Place): ChatTool => ({
  name: "search_files",
  description:
    "Finds lines that contain a text in the files of the working folder. Capitals count where the text has some.",
  inputSchema: {
    type: "object",
    properties: {
      text: { type: "string", description: "The text itself; no pattern" },
      path: { type: "string", description: "Folder or file to search; the working folder unless given" },
    },
    required: ["text"],
  },
  about: ({ text, path }) => `${JSON.stringify(text ?? "")}${path === undefined ? "" : ` in ${String(path)}`}`,
  async execute(input, signal) {
    const { path } = input;
    const start = await place.existing(typeof path === "string" && path !== "" ? path : ".");
    const matches = matcher(textIn(input, "text"));
    const lines: string[] = [];
    for await (const file of filesFrom(start)) {
      signal.throwIfAborted();
      lines.push(...(await linesIn(file, matches)).map((line) => `${place.shown(file)}:${line}`));
      if (lines.length > MOST) return `${lines.slice(0, MOST).join("\n")}\n[and more: search a folder within]`;
    }
    return lines.length === 0 ? "Nothing found." : lines.join("\n");
  },
});

async function* filesFrom(start: string): AsyncGenerator<string> {
  if (!(await stat(start)).isDirectory()) yield start;
  else for await (const { path, isFolder } of walk(start)) if (!isFolder) yield path;
}

function matcher(text: string): (line: string) => boolean {
  if (text !== text.toLowerCase()) return (line) => line.includes(text);
  return (line) => line.toLowerCase().includes(text);
}

/** Links, large files and those that are no text are passed over. */
async function linesIn(file: string, matches: (line: string) => boolean): Promise<string[]> {
  const stats = await lstat(file);
  if (!stats.isFile() || stats.size > LARGEST) return [];
  const bytes = await readFile(file).catch(() => Buffer.alloc(1));
  if (bytes.includes(0)) return [];
  return bytes
    .toString("utf8")
    .split("\n")
    .flatMap((line, at) => (matches(line) ? [`${at + 1}: ${line.trim().slice(0, LONGEST)}`] : []));
}
