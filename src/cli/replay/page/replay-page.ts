import type { ReplayData } from "../../output/recording-schemas.js";
import type { Outcome } from "../replay-data.js";

export function replayPage(data: ReplayData, _outcome: Outcome): string {
  return JSON.stringify(data);
}
