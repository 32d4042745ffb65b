import { openVarve } from "../../session/open-varve.js";
import type { Session } from "../../session/session.js";
import type { SessionOptions } from "../../session/session-options.js";
import { type ChatTool, definitionOf } from "./tools/tool.js";

interface Sent {
  readonly system: string;
  tools(session: Session): Promise<readonly ChatTool[]>;
}

/**
 * Refuses a window that the system prompt and the tools alone fill, before a session is stored with it. A session of its own
 * finds that out, in memory.
 */
export async function checkWindow({ memory: _memory, ...options }: SessionOptions, sent: Sent): Promise<void> {
  if (options.window === undefined) return;
  const varve = await openVarve({ store: "memory" });
  try {
    const session = await varve.session("trial", options);
    const tools = await sent.tools(session);
    await session.view({ system: sent.system, tools: tools.map(definitionOf) });
  } finally {
    await varve.close();
  }
}
