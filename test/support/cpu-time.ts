/**
 * Milliseconds that this thread computes for the work, on average over some runs: a busy machine does not lengthen them.
 * The system counts in steps of some milliseconds, so that short work takes many runs.
 */
export async function cpuTime(work: () => unknown, runs = 1): Promise<number> {
  const before = process.threadCpuUsage();
  for (let run = 0; run < runs; run++) await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000 / runs;
}
