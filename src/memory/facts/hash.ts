/** Hashes of texts: fast, the same everywhere, and not for keeping secrets. */

/** Two numbers of 32 bits that depend on every character. */
function mixed(text: string, seed: number): readonly [number, number] {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return [high >>> 0, low >>> 0];
}

/** 32 bits. */
export const hashNumber = (text: string): number => mixed(text, 0)[1];

/** 128 bits as text: two texts with the same are the same for all that happens by chance. */
export const hashText = (text: string): string =>
  [...mixed(text, 0), ...mixed(text, 0x9e3779b9)].map((part) => part.toString(36)).join("-");
