import { constants } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { countOf } from "../../terminal/format.js";
import type { Place } from "./place.js";
import { readText } from "./read-file.js";
import { type ChatTool, type ConsentRequest, refusal, type ToolInput, textIn } from "./tool.js";

const path = { type: "string", description: "Path from the working folder" };

export const writeFileTool = (place: Place): ChatTool => ({
  name: "write_file",
  description: "Writes a text file of the working folder, a new one or over what it held. The user is asked first.",
  inputSchema: {
    type: "object",
    properties: { path, content: { type: "string", description: "All that the file is to hold" } },
    required: ["path", "content"],
  },
  about: ({ path: wanted }) => String(wanted ?? ""),
  async consent(input) {
    const target = place.shown(await place.writable(textIn(input, "path")));
    const content = contentIn(input, "content");
    return question(`Write ${target} (${countOf(content.split("\n").length, "line")})?`, marked("+", content));
  },
  async execute(input) {
    const content = contentIn(input, "content");
    const target = await writeText(place, textIn(input, "path"), content);
    return `Wrote ${place.shown(target)}, ${countOf(Buffer.byteLength(content), "byte")}.`;
  },
});

export const editFileTool = (place: Place): ChatTool => ({
  name: "edit_file",
  description: "Replaces a text that occurs once in a file of the working folder. The user is asked first.",
  inputSchema: {
    type: "object",
    properties: {
      path,
      find: { type: "string", description: "The text to replace, exactly as it stands; it occurs once" },
      replace: { type: "string", description: "What stands there afterwards" },
    },
    required: ["path", "find", "replace"],
  },
  about: ({ path: wanted }) => String(wanted ?? ""),
  async consent(input) {
    const target = place.shown(await place.writable(textIn(input, "path")));
    await edited(place, input);
    const lines = [...marked("-", textIn(input, "find")), ...marked("+", contentIn(input, "replace"))];
    return question(`Edit ${target}?`, lines);
  },
  async execute(input) {
    const content = await edited(place, input);
    return `Edited ${place.shown(await writeText(place, textIn(input, "path"), content))}.`;
  },
});

async function edited(place: Place, input: ToolInput): Promise<string> {
  const name = textIn(input, "path");
  const find = textIn(input, "find");
  const text = await readText(place, name);
  const at = text.indexOf(find);
  if (at < 0) throw refusal(`${name} does not hold that text.`, "Read the file, and give the text as it stands there.");
  if (text.indexOf(find, at + 1) >= 0)
    throw refusal(`${name} holds that text more than once.`, "Give more of what stands around it.");
  return text.slice(0, at) + contentIn(input, "replace") + text.slice(at + find.length);
}

/** A link that has come into the place of the file since is not followed. */
async function writeText(place: Place, name: string, content: string): Promise<string> {
  const target = await place.writable(name);
  await mkdir(dirname(target), { recursive: true });
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  const file = await open(target, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
  return target;
}

/** A text that may be empty. */
function contentIn(input: ToolInput, name: string): string {
  const value = input[name];
  if (typeof value === "string") return value;
  throw refusal(`"${name}" is missing.`, "Give it as a text, which may be empty.");
}

const question = (words: string, lines: readonly string[]): ConsentRequest => ({
  kind: "write",
  always: { key: "write", words: "every file in this folder" },
  question: words,
  lines,
});

const marked = (mark: string, text: string): string[] => text.split("\n").map((line) => `${mark} ${line}`);
