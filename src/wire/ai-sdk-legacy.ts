/** Parts of AI SDK 4 and 5 that have another name today. Each function returns its input where there is nothing to do. */
import { copyValue, isObject } from "../message/plain-value.js";
import type { JSONValue } from "../message/types.js";
import type { WireObject } from "./value.js";

type Renamed = { readonly [key: string]: unknown };

/** AI SDK 4: `args`, `result`, `mimeType`, `providerMetadata`, `redacted-reasoning`, signed reasoning. */
export function modernPart(part: WireObject): Renamed {
  const named = rename(modernOptions(part), "mimeType", "mediaType");
  switch (named.type) {
    case "tool-call":
      return rename(named, "args", "input");
    case "tool-result":
      return modernResult(named);
    case "redacted-reasoning":
      return signed({ ...named, type: "reasoning", text: "" }, "data", "redactedData");
    case "reasoning":
      return signed(named, "signature", "signature");
    default:
      return named;
  }
}

export function modernOptions(holder: WireObject): Renamed {
  return rename(
    rename(holder, "experimental_providerMetadata", "providerOptions"),
    "providerMetadata",
    "providerOptions",
  );
}

function rename(part: Renamed, from: string, to: string): Renamed {
  if (part[from] === undefined || part[to] !== undefined) return part;
  const { [from]: value, ...rest } = part;
  return { ...rest, [to]: value };
}

/** Moves a field of the part to where Anthropic's provider looks for it. */
function signed(part: Renamed, field: string, name: string): Renamed {
  if (typeof part[field] !== "string") return part;
  const { [field]: value, ...rest } = part;
  const options = isObject(part.providerOptions) ? part.providerOptions : {};
  const anthropic = isObject(options.anthropic) ? options.anthropic : {};
  return { ...rest, providerOptions: { ...options, anthropic: { ...anthropic, [name]: value } } };
}

function modernResult(part: Renamed): Renamed {
  if (isObject(part.output)) return modernContent(part, part.output);
  if (part.result === undefined && part.isError === undefined) return part;
  const { result, isError, experimental_content: _content, ...rest } = part;
  return { ...rest, output: outputOf(copyValue(result ?? null), isError === true) };
}

const outputOf = (value: JSONValue, failed: boolean): Renamed =>
  typeof value === "string"
    ? { type: failed ? "error-text" : "text", value }
    : { type: failed ? "error-json" : "json", value };

/** AI SDK 5 has one kind of media in a tool's output. */
function modernContent(part: Renamed, output: WireObject): Renamed {
  if (output.type !== "content" || !Array.isArray(output.value) || !output.value.some(isMedia)) return part;
  return {
    ...part,
    output: { ...output, value: output.value.map((item) => (isMedia(item) ? modernMedia(item) : item)) },
  };
}

const isMedia = (item: unknown): item is WireObject => isObject(item) && item.type === "media";

const modernMedia = (item: WireObject): Renamed => ({
  ...item,
  type: typeof item.mediaType === "string" && item.mediaType.startsWith("image/") ? "image-data" : "file-data",
});
