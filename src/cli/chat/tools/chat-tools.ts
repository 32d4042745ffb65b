import type { ScopedMemory } from "../../../memory/scoped-memory.js";
import { contextTools } from "../../../session/context-tools.js";
import type { Session } from "../../../session/session.js";
import { listFilesTool } from "./list-files.js";
import { memorySearchTool } from "./memory-search.js";
import { openPlace } from "./place.js";
import { readFileTool } from "./read-file.js";
import { runCommandTool } from "./run-command.js";
import { searchFilesTool } from "./search-files.js";
import type { ChatTool } from "./tool.js";
import { editFileTool, writeFileTool } from "./write-file.js";

export interface ToolsInput {
  readonly folder: string;
  readonly session: Session;
  readonly memory: ScopedMemory | undefined;
  /** Names of variables that commands see besides the usual ones. */
  readonly environment: readonly string[];
}

/** All that the model may do, in a fixed order: the provider's cache begins with them. */
export async function chatTools({ folder, session, memory, environment }: ToolsInput): Promise<readonly ChatTool[]> {
  const place = await openPlace(folder);
  return [
    readFileTool(place),
    listFilesTool(place),
    searchFilesTool(place),
    writeFileTool(place),
    editFileTool(place),
    runCommandTool(place, environment),
    ...contextTools(session).map(
      (tool): ChatTool => ({ ...tool, about: ({ id, query }) => String(id ?? query ?? "") }),
    ),
    ...(memory === undefined ? [] : [memorySearchTool(memory)]),
  ];
}
