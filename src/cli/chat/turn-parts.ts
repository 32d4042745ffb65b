import type { StreamingModel } from "../../model/streaming.js";
import type { Session } from "../../session/session.js";
import type { Consent } from "./consent.js";
import type { TurnListener } from "./listener.js";
import type { Meter } from "./meter.js";
import type { ChatTool } from "./tools/tool.js";

/** What a turn stands on. */
export interface TurnParts {
  readonly session: Session;
  readonly model: StreamingModel;
  readonly tools: readonly ChatTool[];
  readonly system: string;
  /** Tokens that one answer may take; the reserve of the budget unless given. */
  readonly maxOutputTokens?: number | undefined;
  /** Forced compactions that one request may cause. */
  readonly maxCompactions: number;
  readonly consent: Consent;
  readonly meter: Meter;
  readonly listener: TurnListener;
  readonly signal: AbortSignal;
}
