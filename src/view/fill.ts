/**
 * Water-filling: the level L at which pieces of the given sizes, each cut to at most L, just fit into the space.
 * Small pieces stay whole and the large ones share what is left evenly.
 */
export function fillLevel(sizes: readonly number[], space: number): number {
  const ascending = [...sizes].sort((a, b) => a - b);
  let left = space;
  for (const [at, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - at));
    if (size > share) return Math.max(0, share);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
