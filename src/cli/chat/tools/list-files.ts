import { stat } from "node:fs/promises";
import type { Place } from "./place.js";
import { type ChatTool, countIn, refusal } from "./tool.js";
import { walk } from "./walk.js";

const MOST = 1_000;
const DEPTH = 2;

export const listFilesTool = (place: Place): ChatTool => ({
  name: "list_files",
  description: "Lists files and folders of the working folder; folders end with a slash.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", description: "The folder; the working folder itself unless given" },
      depth: { type: "integer", minimum: 1, description: `Levels of folders; ${DEPTH} unless given` },
    },
  },
  about: ({ path }) => String(path ?? "."),
  async execute(input) {
    const { path } = input;
    const folder = await place.existing(typeof path === "string" && path !== "" ? path : ".");
    if (!(await stat(folder)).isDirectory()) throw refusal(`${String(path)} is no folder.`, "read_file reads it.");
    const lines: string[] = [];
    for await (const found of walk(folder, countIn(input, "depth") ?? DEPTH)) {
      if (lines.length === MOST) return `${lines.join("\n")}\n[and more: list a folder within, or fewer levels]`;
      lines.push(`${place.shown(found.path)}${found.isFolder ? "/" : ""}`);
    }
    return lines.length === 0 ? "[The folder is empty.]" : lines.join("\n");
  },
});
