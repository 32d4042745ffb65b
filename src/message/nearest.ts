/** The known name that a mistyped one was meant to be, where one is near enough to say so. */
export function nearest(wanted: string, known: readonly string[]): string | undefined {
  const bare = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const near = known
    .map((name) => ({ name, distance: editDistance(bare(wanted), bare(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(Math.min(name.length, wanted.length) / 3)));
  return near.sort((a, b) => a.distance - b.distance)[0]?.name;
}

/** Letters to insert, drop, replace or swap with their neighbours. */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const ways = [row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1)];
      next.push(Math.min(...ways, ...(swapped ? [before[j - 2]! + 1] : [])));
    }
    before = row;
    row = next;
  }
  return row[to.length]!;
}
