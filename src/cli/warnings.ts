import { VarveError } from "../errors.js";

/** Prints warnings as words. Node's note that SQLite is new to it says nothing to whoever runs varve. */
export function wordWarnings(): void {
  process.removeAllListeners("warning");
  process.on("warning", (warning) => {
    if (warning.name === "ExperimentalWarning") return;
    const hint = VarveError.isInstance(warning) ? warning.hint : undefined;
    console.error(`Note: ${warning.message}${hint === undefined ? "" : ` ${hint}`}`);
  });
}
