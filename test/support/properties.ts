/**
 * How properties are tried. Every run draws the same cases, so that a first run is green where all others were;
 * VARVE_SEED draws others, and `npm run fuzz` takes a new seed each time.
 */
import fc from "fast-check";
import { runs } from "./runs.js";

const { VARVE_SEED, VARVE_PROPERTY_SECONDS: seconds } = process.env;

fc.configureGlobal({
  seed: Number(VARVE_SEED ?? 20_260_101),
  numRuns: runs(100),
  ...(seconds !== undefined && { interruptAfterTimeLimit: Number(seconds) * 1_000 }),
});
