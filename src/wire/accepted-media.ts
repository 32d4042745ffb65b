/**
 * What providers take of images, audio and links. A request with anything else is refused, so that is said in words;
 * what came in the format itself goes back as it came, for others speak the same formats and take more.
 */
import { imageType, type Media } from "./media.js";

const IMAGES: ReadonlySet<string> = new Set(["image/gif", "image/jpeg", "image/png", "image/webp"]);

/** Links that a provider follows. */
export const isWebURL = (url: string): boolean => /^https?:\/\//i.test(url);

/** A media type without parameters and in its usual spelling. */
export function plainType(mediaType: string): string {
  const type = mediaType.replace(/;.*/s, "").trim().toLowerCase();
  return type === "image/jpg" ? "image/jpeg" : type;
}

/** Whether both OpenAI and Anthropic take an image of this type. */
export const isCommonImage = (mediaType: string): boolean => IMAGES.has(plainType(mediaType));

/** Whether a file speaks or moves: what only some models take, and none in a place for files. */
export const isRecording = (mediaType: string | undefined): boolean =>
  mediaType !== undefined && /^(?:audio|video)\//i.test(mediaType);

/** Whether OpenAI takes an image: of a type that it knows, or where it can fetch or find it. */
export function isOpenAIImage(media: Media): boolean {
  if (media.kind === "url") return isWebURL(media.url);
  return media.kind !== "base64" || isCommonImage(imageType(media.mediaType));
}

/** Whether Gemini takes media of this type: https://ai.google.dev/gemini-api/docs/image-understanding#supported-formats. */
export const isGeminiMedia = (mediaType: string): boolean =>
  /^(?:image\/(?:png|jpeg|webp|heic|heif)$|audio\/|video\/|text\/|application\/pdf$)/.test(mediaType);

/** The formats of `input_audio`. */
export function openAIAudio(mediaType: string): "mp3" | "wav" | undefined {
  switch (plainType(mediaType)) {
    case "audio/mpeg":
    case "audio/mp3":
      return "mp3";
    case "audio/wav":
    case "audio/wave":
    case "audio/x-wav":
      return "wav";
    default:
      return undefined;
  }
}
