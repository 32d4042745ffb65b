/** How many times longer than usual properties are tried: VARVE_RUNS=20 tries each twenty times as often. */
const TIMES = Number(process.env.VARVE_RUNS ?? 1);

/** How often a property is tried that usually is tried so often. Without a number of its own it is 100 times. */
export const runs = (usual: number): number => Math.ceil(usual * TIMES);
