import type { FilePart, ImagePart, ToolOutput } from "../message/types.js";
import { toolContentMedia } from "./media.js";

export const isError = (output: ToolOutput): boolean => output.type === "error-text" || output.type === "error-json";

/** The images and files of an output. */
export function outputMedia(output: ToolOutput): (ImagePart | FilePart)[] {
  if (output.type !== "content") return [];
  return output.value.map(toolContentMedia).filter((part) => part !== undefined);
}
