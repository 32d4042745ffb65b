/** Whose memories a call is about: flags over the configuration's scope. */
import type { Command } from "commander";
import { configuredScope } from "../config/configured.js";
import type { LoadedConfig } from "../config/load-config.js";
import type { ScopedMemory } from "../memory/scoped-memory.js";
import { defined } from "../session/strategy-settings.js";
import type { Scope } from "../store/memories/memories.js";
import type { StoreOptions } from "./open.js";
import { type VarveAccess, withVarve } from "./open-session.js";
import { collect } from "./shared-options.js";

export interface MemoryChoice extends StoreOptions {
  readonly tenant?: string;
  readonly user?: string;
  readonly agent?: string;
  readonly project?: string;
  readonly ofSession?: string;
  readonly tag?: readonly string[];
}

/** The flags that name a scope. A tag narrows it, unless it is given another meaning. */
export const scopeOptions = (command: Command, tag = "only with this tag"): Command =>
  command
    .option("--user <name>", "whose memories; memory.scope of varve.json, or yours of this project, unless given")
    .option("--project <name>", "of which project")
    .option("--agent <name>", "of which agent")
    .option("--tenant <name>", "of which tenant")
    .option("--of-session <id>", "of which session")
    .option("--tag <tag>", `${tag}; may be repeated`, collect);

/** Opens the memories that a call means, with their embedder unless none is used. */
export async function withMemory<T>(
  options: MemoryChoice,
  work: (memory: ScopedMemory) => Promise<T>,
  opening: VarveAccess = {},
): Promise<T> {
  return withVarve(options, async (varve, loaded) => work(varve.memory({ scope: await scopeFrom(options, loaded) })), {
    uses: ["embedder"],
    ...opening,
  });
}

async function scopeFrom(options: MemoryChoice, loaded: LoadedConfig): Promise<Scope> {
  const { tenant, user, agent, project, ofSession: session, tag = [] } = options;
  const scope = await configuredScope(loaded, defined({ tenant, user, agent, project, session }));
  return tag.length === 0 ? scope : { ...scope, tags: tag };
}
