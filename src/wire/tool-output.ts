import type { FilePart, ImagePart, ToolContentPart, ToolOutput } from "../message/types.js";
import { toolContentMedia } from "./media.js";

/** A tool's output as one text: what it says, its JSON, or why it was denied. Media are left out. */
export function outputText(output: ToolOutput): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value) ?? "null";
    case "execution-denied":
      return output.reason ?? "Tool execution denied.";
    case "content":
      return output.value.map(contentText).filter(isText).join("\n");
  }
}

export const isError = (output: ToolOutput): boolean => output.type === "error-text" || output.type === "error-json";

const contentText = (part: ToolContentPart): string | undefined =>
  part.type === "text" && typeof part.text === "string" ? part.text : undefined;

const isText = (text: string | undefined): text is string => text !== undefined;

/** The images and files of an output. */
export function outputMedia(output: ToolOutput): (ImagePart | FilePart)[] {
  if (output.type !== "content") return [];
  return output.value.map(toolContentMedia).filter((part) => part !== undefined);
}
