import { VarveError } from "../errors.js";
import { causeWords } from "./cause-words.js";

/** Prints warnings as words. Node's note that SQLite is new to it says nothing to whoever runs varve. */
export function wordWarnings(): void {
  process.removeAllListeners("warning");
  process.on("warning", (warning) => {
    if (warning.name === "ExperimentalWarning") return;
    const cause = causeWords(warning);
    const hint = VarveError.isInstance(warning) ? warning.hint : undefined;
    const words = [warning.message, ...(cause === undefined ? [] : [`Cause: ${cause}.`]), ...(hint ? [hint] : [])];
    console.error(`Note: ${words.join(" ")}`);
  });
}
