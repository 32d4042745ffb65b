import type { VarveError } from "../errors.js";
import type { Store } from "../store/store.js";
import type { EnginePorts } from "./engine.js";
import type { Emit } from "./events.js";
import type { SessionMemoryPorts } from "./memory/session-memory.js";
import type { SnapshotSettings } from "./snapshots.js";

/** What a session needs from outside. */
export interface SessionPorts extends Omit<EnginePorts, "withMemories" | "onSummary">, SessionMemoryPorts {
  readonly store: Store;
  readonly warn: (warning: VarveError) => void;
  readonly emit: Emit;
  /** Told when the session can be used no more: it was closed, or found deleted. */
  readonly onEnded?: () => void;
  /** Where snapshots are written; nowhere unless given. */
  readonly snapshots?: SnapshotSettings | undefined;
}
