import { countOnce } from "../support/count-once.js";
import type { Piece } from "./protocol.js";

const PER_MESSAGE = 4;
const PER_CALL = 8;

/** What a piece of a request takes by o200k: its texts, and what the chat format adds for messages and calls. */
export const tokensOf = ({ texts, messages, calls }: Piece): number =>
  texts.reduce((sum, text) => sum + countOnce(text), PER_MESSAGE * messages + PER_CALL * calls);
