import type { ModelMessage } from "ai";
import type { Message, SystemMessage, ToolMessage } from "./types.js";

/** Every `ModelMessage` of the AI SDK is a `Message`; back again only custom parts in user messages are in the way. */
declare const theirs: ModelMessage;
declare const ours: SystemMessage | ToolMessage;

export const fromTheirs: Message = theirs;
export const system: Extract<ModelMessage, { role: "system" }> = ours as SystemMessage;
