/** Whose memories a call is about: flags over the configuration's scope. */
import type { Command } from "commander";
import { VarveError } from "../errors.js";
import type { ScopedMemory } from "../memory/scoped-memory.js";
import { OWNERS, type Scope } from "../store/memories/memories.js";
import type { OpenOptions, StoreOptions } from "./open.js";
import { withVarve } from "./open-session.js";

export interface MemoryChoice extends StoreOptions {
  readonly tenant?: string;
  readonly user?: string;
  readonly agent?: string;
  readonly project?: string;
  readonly ofSession?: string;
  readonly tag?: readonly string[];
}

/** The flags that name a scope. */
export const scopeOptions = (command: Command): Command =>
  command
    .option("--user <name>", "whose memories; memory.scope of varve.json unless given")
    .option("--project <name>", "of which project")
    .option("--agent <name>", "of which agent")
    .option("--tenant <name>", "of which tenant")
    .option("--of-session <id>", "of which session")
    .option("--tag <tag>", "only with this tag; may be repeated", collect, []);

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** Opens the memories that a call means. */
export async function withMemory<T>(
  options: MemoryChoice,
  work: (memory: ScopedMemory) => Promise<T>,
  opening: OpenOptions = {},
): Promise<T> {
  return withVarve(
    options,
    (varve, { config }) => work(varve.memory({ scope: scopeFrom(options, config.memory?.scope) })),
    opening,
  );
}

function scopeFrom(options: MemoryChoice, configured: Readonly<Record<string, string>> | undefined): Scope {
  const { tenant, user, agent, project, ofSession: session, tag = [] } = options;
  const given = Object.entries({ tenant, user, agent, project, session }).filter(([, value]) => value !== undefined);
  const scope: Scope = { ...configured, ...Object.fromEntries(given) };
  if (OWNERS.every((owner) => scope[owner] === undefined)) throw noScope();
  return tag.length === 0 ? scope : { ...scope, tags: tag };
}

const noScope = (): VarveError =>
  new VarveError({
    code: "unscoped",
    message: "It is not said whose memories are meant.",
    hint: 'Name somebody with --user, --project, --agent or --tenant, or set "memory": { "scope": { "user": "…" } } in varve.json.',
  });
