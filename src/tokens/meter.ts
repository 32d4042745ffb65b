import type { ImageRule } from "./media.js";

/** What counting a message needs of a tokenizer. */
export interface Meter {
  text(text: string): number;
  readonly image: ImageRule;
}
