import { readFile, stat } from "node:fs/promises";
import type { Place } from "./place.js";
import { type ChatTool, countIn, refusal, textIn } from "./tool.js";

const LARGEST = 10_000_000;
const LOOKED_AT = 8_000;

export const readFileTool = (place: Place): ChatTool => ({
  name: "read_file",
  description: "Reads a text file of the working folder, whole or some of its lines.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", description: "Path from the working folder" },
      from: { type: "integer", minimum: 1, description: "First line; 1 unless given" },
      lines: { type: "integer", minimum: 1, description: "Lines at most; all unless given" },
    },
    required: ["path"],
  },
  about: ({ path }) => String(path ?? ""),
  async execute(input) {
    const text = await readText(place, textIn(input, "path"));
    const from = countIn(input, "from") ?? 1;
    const count = countIn(input, "lines");
    if (from === 1 && count === undefined) return text === "" ? "[The file is empty.]" : text;
    const lines = text.split("\n");
    const shown = lines.slice(from - 1, count === undefined ? undefined : from - 1 + count);
    return `${shown.join("\n")}\n[lines ${from} to ${from + shown.length - 1} of ${lines.length}]`;
  },
});

/** The text of a file that is there and is text. */
export async function readText(place: Place, path: string): Promise<string> {
  const found = await place.existing(path);
  const { size, isFile } = await stat(found).then((stats) => ({ size: stats.size, isFile: stats.isFile() }));
  if (!isFile) throw refusal(`${path} is no file.`, "list_files shows what a folder holds.");
  if (size > LARGEST) throw refusal(`${path} has ${size} bytes.`, "Find what you need with search_files.");
  const bytes = await readFile(found);
  if (bytes.subarray(0, LOOKED_AT).includes(0))
    throw refusal(`${path} is no text; it has ${size} bytes.`, "Read another.");
  return bytes.toString("utf8");
}
