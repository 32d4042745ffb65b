import type { Checkpoint } from "../../../session/checkpoint.js";

/** A checkpoint as programs get it. */
export const checkpointData = ({ id, name, entries, time, automatic }: Checkpoint) => ({
  id,
  name,
  entries,
  time,
  automatic,
});
