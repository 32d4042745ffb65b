/** What an agent that is built on a provider's own client does in a step. */
import type { AnyTool, Message, View } from "../../src/index.js";
import type { Protocol } from "./protocol.js";
import type { Call } from "./script.js";

/** What the model said, as the client gives it. */
export interface Reply {
  readonly calls: readonly Call[];
  /** The answer and the results of its calls, decoded from the client's own format. */
  readonly messages: (outputs: readonly string[]) => Message[];
}

export interface Connection {
  /** In the shape that the client takes. */
  readonly tools: readonly AnyTool[];
  /** Every second step is streamed. */
  readonly ask: (view: View<AnyTool>, step: number) => Promise<Reply>;
}

export interface Client {
  readonly name: string;
  readonly model: string;
  readonly protocol: () => Protocol;
  readonly connect: (url: string) => Connection;
}

export const isStreamed = (step: number): boolean => step % 2 === 1;

export const isFailure = (output: string): boolean => output.startsWith("Error:");
