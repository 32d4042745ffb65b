/**
 * Tokens of images, documents, audio and video, by the providers' published rules. Media never counts as its base64
 * text: a picture of a megabyte is about a thousand tokens, not a million. Where the size cannot be seen, such as behind
 * a link, an image counts as the largest that the rule allows.
 */
import { type ImageSize, imageSizeFrom } from "../message/image-size.js";
import { type MediaSource, readSource } from "./media-source.js";

export type ImageRule =
  | "openai-tile"
  | "openai-tile-5"
  | "openai-tile-o"
  | "openai-patch-1.62"
  | "openai-patch-1.72"
  | "openai-patch-2.46"
  | "openai-patch-large"
  | "anthropic"
  | "anthropic-large"
  | "gemini"
  | "gemini-3"
  | "open";

export type ImageDetail = "low" | "high" | "original" | "auto";
type SizeRule = (size: ImageSize, detail: ImageDetail) => number;

/** One of these costs the most under any rule but for slivers: the widest of full height, or the largest square. */
const LARGEST: readonly ImageSize[] = [
  { width: 2048, height: 768 },
  { width: 8192, height: 8192 },
];

/**
 * OpenAI, 4o class: fit into 2048², bring the short side to 768, count 512² tiles. The far larger numbers published for
 * gpt-4o-mini are units of billing and not of its window.
 */
const tiles =
  (base: number, tile: number): SizeRule =>
  ({ width, height }, detail) => {
    if (detail === "low") return base;
    const fit = Math.min(1, 2048 / Math.max(width, height));
    const scale = fit * Math.min(1, 768 / (Math.min(width, height) * fit));
    return base + tile * Math.ceil(round(width * scale) / 512) * Math.ceil(round(height * scale) / 512);
  };

/** OpenAI, mini and later models: patches of 32², up to a cap, each worth `factor` tokens. */
const patches =
  (factor: number, cap: number): SizeRule =>
  ({ width, height }, detail) => {
    const most = detail === "low" ? 256 : detail === "original" ? Math.max(cap, 10_000) : cap;
    return Math.ceil(factor * Math.min(most, Math.ceil(width / 32) * Math.ceil(height / 32)));
  };

/** Anthropic: scaled to the longest edge, then width × height / 750, up to a cap. */
const area =
  (edge: number, cap: number): SizeRule =>
  ({ width, height }) => {
    const scale = Math.min(1, edge / Math.max(width, height));
    return Math.min(cap, Math.ceil((width * scale * height * scale) / 750));
  };

/**
 * Gemini to 2.5: 258 for small pictures, else scaled into 3072² and 258 for each crop of two thirds of the short side,
 * 256 to 768 pixels.
 */
const crops: SizeRule = ({ width, height }) => {
  if (width <= 384 && height <= 384) return 258;
  const scale = Math.min(1, 3072 / Math.max(width, height));
  const unit = Math.min(768, Math.max(256, Math.floor((Math.min(width, height) * scale) / 1.5)));
  return 258 * Math.ceil(round(width * scale) / unit) * Math.ceil(round(height * scale) / unit);
};

const IMAGE_RULES: Readonly<Record<ImageRule, SizeRule>> = {
  "openai-tile": tiles(85, 170),
  "openai-tile-5": tiles(70, 140),
  "openai-tile-o": tiles(75, 150),
  "openai-patch-1.62": patches(1.62, 1536),
  "openai-patch-1.72": patches(1.72, 1536),
  "openai-patch-2.46": patches(2.46, 1536),
  "openai-patch-large": patches(1, 2500),
  anthropic: area(1568, 1600),
  "anthropic-large": area(2576, 4784),
  gemini: crops,
  "gemini-3": () => 1120,
  open: ({ width, height }) => Math.min(2500, Math.ceil(width / 28) * Math.ceil(height / 28)),
};

/** Scaling by a ratio of pixels must not open another tile through the last bit of a fraction. */
const round = (pixels: number): number => Math.round(pixels * 1000) / 1000;

/**
 * Tokens of one image.
 *
 * @example
 * ```ts
 * countImage("openai-tile", { width: 1024, height: 1024 }); // 765
 * ```
 */
export function countImage(rule: ImageRule, size?: ImageSize, detail: ImageDetail = "auto"): number {
  const count = IMAGE_RULES[rule];
  return size ? count(size, detail) : Math.max(...LARGEST.map((largest) => count(largest, detail)));
}

/** What a document's page costs: its text and, but for Gemini, its picture. */
const PAGE = { gemini: 258, "gemini-3": 560, default: 3000 };
const BYTES_PER_PAGE = 60_000;
/** Audio and video by their length in time, which is guessed from common bit rates; a minute where nothing is known. */
const AUDIO = { tokensPerSecond: 32, bytesPerSecond: 8_000 };
const WAVE = { ...AUDIO, bytesPerSecond: 32_000 };
const VIDEO = { tokensPerSecond: 263, bytesPerSecond: 250_000 };
const UNKNOWN_SECONDS = 60;
/** A file of another kind, of which a provider takes the text: at least this, and more where it is large. */
const OTHER_FILE = 2_000;
const OTHER_BYTES_PER_TOKEN = 8;
/** Large ones are mostly pictures. */
const LARGEST_OTHER_FILE = 20_000;

export interface MediaPart {
  readonly data: unknown;
  readonly mediaType: string;
  readonly detail?: ImageDetail;
}

/**
 * Tokens of an image, document, audio or video part. Text files are text and are not counted here.
 *
 * @example
 * ```ts
 * countMedia({ data: new URL("https://example.com/a.png"), mediaType: "image/png" }, "anthropic"); // 1600
 * ```
 */
export function countMedia({ data, mediaType, detail }: MediaPart, rule: ImageRule): number {
  const source = readSource(data);
  const [kind] = mediaType.split("/", 1);
  if (kind === "image") return countImage(rule, source && imageSizeFrom(source.head), detail);
  if (mediaType === "application/pdf") return countPages(source) * pagePrice(rule);
  if (kind === "audio") return countSeconds(source, mediaType.includes("wav") ? WAVE : AUDIO);
  if (kind === "video") return countSeconds(source, VIDEO);
  const text = Math.ceil((source?.byteLength ?? 0) / OTHER_BYTES_PER_TOKEN);
  return Math.min(LARGEST_OTHER_FILE, Math.max(OTHER_FILE, text));
}

const pagePrice = (rule: ImageRule): number => (rule === "gemini" || rule === "gemini-3" ? PAGE[rule] : PAGE.default);

/** Page objects where the file names them in the clear, else a guess by size. */
function countPages(source: MediaSource | undefined): number {
  if (!source) return 1;
  const text = Buffer.from(source.head(source.byteLength)).toString("latin1");
  return text.match(/\/Type\s*\/Page(?![a-z])/g)?.length ?? Math.max(1, Math.ceil(source.byteLength / BYTES_PER_PAGE));
}

function countSeconds(
  source: MediaSource | undefined,
  rate: { tokensPerSecond: number; bytesPerSecond: number },
): number {
  const seconds = source ? source.byteLength / rate.bytesPerSecond : UNKNOWN_SECONDS;
  return Math.ceil(seconds * rate.tokensPerSecond);
}
