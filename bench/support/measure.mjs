/** Milliseconds that one call takes. */
export async function time(action) {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const RUNS_IN_A_TURN = 4;

/**
 * Median times of several actions, taken in turns so that a busy moment of the machine hits all alike. The first run
 * of a turn does not count: it pays for the garbage of the action before.
 */
export async function timeInTurns(turns, actions) {
  const times = actions.map(() => []);
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, action] of actions.entries()) {
      await action();
      for (let run = 1; run < RUNS_IN_A_TURN; run++) times[index].push(await time(action));
    }
  }
  return times.map(median);
}
