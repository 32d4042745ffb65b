import { outputText } from "../message/content.js";
import { isObject } from "../message/plain-value.js";
import type { FilePart, ImagePart, ToolContentPart, ToolOutput, ToolResultPart } from "../message/types.js";
import { carried } from "./carried.js";
import { decodePart } from "./gemini-parts.js";
import { mediaToolContent, toolContentMedia } from "./media.js";

export const isError = (output: ToolOutput): boolean => output.type === "error-text" || output.type === "error-json";

/** Whether a call failed; a list has no form for that, so Anthropic's own mark beside it tells. */
export const hasFailed = (part: ToolResultPart): boolean =>
  isError(part.output) || (part.output.type === "content" && carried(part, "anthropic")?.is_error === true);

/** The images and files of an output. */
export function outputMedia(output: ToolOutput): (ImagePart | FilePart)[] {
  if (output.type !== "content") return [];
  return output.value.map(toolContentMedia).filter((part) => part !== undefined);
}

/** The output of a result, with the media that Gemini keeps beside its response: other formats have them in it. */
export function outputOf(part: ToolResultPart): ToolOutput {
  const { output, providerOptions } = part;
  if (providerOptions === undefined) return output;
  const media = mediaBeside(part);
  if (media.length === 0) return output;
  const value = output.type === "content" ? output.value : [{ type: "text", text: outputText(output) }];
  return { type: "content", value: [...value, ...media] };
}

function mediaBeside(part: ToolResultPart): ToolContentPart[] {
  const response = carried(part, "gemini")?.functionResponse;
  const parts = isObject(response) && Array.isArray(response.parts) ? response.parts : [];
  return parts.flatMap((wire) => {
    const decoded = decodePart(wire, "user");
    return decoded.type === "image" || decoded.type === "file" ? [withoutOptions(mediaToolContent(decoded))] : [];
  });
}

/** What Gemini has beside the media stays with it. */
function withoutOptions({ providerOptions: _options, ...content }: ToolContentPart): ToolContentPart {
  return content as ToolContentPart;
}
