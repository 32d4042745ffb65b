/** How often a property is tried: as many times as given, or as VARVE_RUNS says where a machine has time for more. */
export const runs = (usual: number): number => Number(process.env.VARVE_RUNS ?? usual);
