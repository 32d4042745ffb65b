import { createTokenCounter } from "../../src/tokens/create-token-counter.js";

/** A window that is counted to the token and filled to its end, for tests of something else. */
export const EXACT = { reserve: 0, counter: createTokenCounter({ encoding: "o200k" }) };
