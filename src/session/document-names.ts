/** Names of a session's small documents, apart from what reads and writes them: whoever only looks loads nothing else. */
export const OPTIONS = "state/options";
export const PINS = "state/pins";
export const SUMMARISER = "state/summariser";
