/** Hashes of texts: fast, the same everywhere, and not for keeping secrets. */

const HIGH = 0xdeadbeef;
const LOW = 0x41c6ce57;
const SEED = 0x9e3779b9;
const HIGH_FACTOR = 2654435761;
const LOW_FACTOR = 1597334677;

/** Spreads what two halves hold over both. */
function finished(high: number, low: number): readonly [number, number] {
  const first = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  const second = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(first ^ (first >>> 13), 3266489909);
  return [first >>> 0, second >>> 0];
}

/** 32 bits. */
export function hashNumber(text: string): number {
  let high = HIGH;
  let low = LOW;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, HIGH_FACTOR);
    low = Math.imul(low ^ code, LOW_FACTOR);
  }
  return finished(high, low)[1];
}

/** 128 bits as text: two texts with the same are the same for all that happens by chance. */
export function hashText(text: string): string {
  let [high, low] = [HIGH, LOW];
  let [otherHigh, otherLow] = [HIGH ^ SEED, LOW ^ SEED];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, HIGH_FACTOR);
    low = Math.imul(low ^ code, LOW_FACTOR);
    otherHigh = Math.imul(otherHigh ^ code, HIGH_FACTOR);
    otherLow = Math.imul(otherLow ^ code, LOW_FACTOR);
  }
  const [first, second] = finished(high, low);
  const [third, fourth] = finished(otherHigh, otherLow);
  return `${first.toString(36)}-${second.toString(36)}-${third.toString(36)}-${fourth.toString(36)}`;
}
