/**
 * How BERT uncased cuts a text into words, before it looks for their pieces: control characters go, accents go, letters
 * become small, and each ideograph and each punctuation mark is a word of its own. A table of vectors that was learnt
 * on such words is of use only with the very same ones.
 */
const PLAIN = /^[\t\n\r -~]*$/;
const PLAIN_WORD = /[a-z0-9]+|[!-/:-@[-`{-~]/g;

const CONTROL = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu;
const ACCENT = /\p{Mn}/gu;

/** The ranges are those of BERT's tokenizer: kana, hangul and newer ideographs are not in them. */
const IDEOGRAPH =
  "\\u4E00-\\u9FFF\\u3400-\\u4DBF\\uF900-\\uFAFF\\u{20000}-\\u{2A6DF}\\u{2A700}-\\u{2B81F}\\u{2B920}-\\u{2CEAF}\\u{2F800}-\\u{2FA1F}";
const MARK = "!-\\/:-@\\[-`{-~\\p{P}";
const WORD = new RegExp(`[${IDEOGRAPH}]|[${MARK}]|[^\\s${IDEOGRAPH}${MARK}]+`, "gu");

/** The words of a text, normalised. */
export function bertWords(text: string): readonly string[] {
  if (PLAIN.test(text)) return text.toLowerCase().match(PLAIN_WORD) ?? [];
  return normalise(text).match(WORD) ?? [];
}

/** A capital sigma becomes the same letter everywhere; `toLowerCase` knows the one at a word's end. */
const normalise = (text: string): string =>
  text.replace(CONTROL, "").normalize("NFD").replace(ACCENT, "").replaceAll("Σ", "σ").toLowerCase();
