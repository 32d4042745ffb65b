const PRIME = 0x01000193;
const FIRST = 0x811c9dc5;
const SECOND = 0x2f0b4c47;
const HIGH_BITS = 20;

/**
 * A number for a key, from 0 to 2^52: what is looked up by it may have another key by chance, and has to be compared.
 * Keys lie anywhere in their order, so an index of them is best small.
 */
export function keyHash(key: string): number {
  let low = FIRST;
  let high = SECOND;
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    low = Math.imul(low ^ code, PRIME);
    high = Math.imul(high ^ (code + at), PRIME);
  }
  return (mixed(high) >>> (32 - HIGH_BITS)) * 2 ** 32 + (mixed(low) >>> 0);
}

/** Lets every bit have a say in every other. */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return once ^ (once >>> 13);
}
