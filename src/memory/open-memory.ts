import { builtInEmbedder } from "../embed/built-in-embedder.js";
import type { Embedder } from "../embed/embedder.js";
import { invalidOption, VarveError } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import type { Memories, Scope } from "../store/memories/memories.js";
import type { Store } from "../store/store.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { checkScope } from "./check-input.js";
import type { Carrier, CarriersOf } from "./distinctive-words.js";
import { EmbedderPool } from "./embedder-pool.js";
import { type EmbedOptions, type EmbedProgress, embedAll } from "./embedding.js";
import type { Forgotten, RedactionOf, Redactions } from "./forgetting.js";
import { PATIENCE } from "./in-time.js";
import type { EntryReference, Memory } from "./memory.js";
import type { RetoldOf } from "./retold-rows.js";
import { type MemoryPorts, ScopedMemory } from "./scoped-memory.js";
import { renderMemory } from "./trust/render.js";

export interface MemoryOptions {
  /** Whose memories: at least one of tenant, user, agent, project, session. */
  readonly scope: Scope;
  /** Keeps secrets as they are said; they are masked unless given. */
  readonly allowSecrets?: boolean;
  /** Milliseconds after which a memory counts half as much in the order of answers; nothing fades unless given. */
  readonly halfLife?: number;
}

/** What all memories of a store have in common. */
export interface MemoryHost {
  readonly store: Store;
  now(): number;
  newId(): string;
  warn(warning: VarveError): void;
  readonly embedder?: Embedder | undefined;
  /** Embedders of vectors that are still there, so that texts that have only those are found by meaning too. */
  readonly formerEmbedders?: readonly Embedder[] | undefined;
  redactions(entries: readonly EntryReference[], of: RedactionOf): Promise<Redactions>;
  retellings(entries: readonly EntryReference[], of: RetoldOf): Promise<readonly EntryReference[]>;
  carriers(of: CarriersOf): Promise<readonly Carrier[]>;
  forgotten?(gone: Forgotten): Promise<void>;
}

/** The memories of a store: those of scopes, and what concerns them all. */
export interface OpenMemories {
  of(options: MemoryOptions): ScopedMemory;
  embed(options?: EmbedOptions): Promise<EmbedProgress>;
  /** Waits a little for vectors that follow; told are those that then are not there. */
  settled(): Promise<void>;
}

/** Opens the memories of scopes on one store; all share one set of embedders. */
export function openMemories(host: MemoryHost): OpenMemories {
  let pool: EmbedderPool | undefined;
  const shared = (): Pick<Parts, "memories" | "pool"> => {
    const memories = memoriesOf(host.store);
    pool ??= new EmbedderPool(memories, {
      inUse: host.embedder ?? builtInEmbedder(),
      others: host.formerEmbedders ?? [],
      now: host.now,
    });
    return { memories, pool };
  };
  return {
    of: (options) => new ScopedMemory(checkMemoryOptions(options), portsOf(host, { ...shared(), options })),
    embed: async (options) => {
      const { memories, pool: embedders } = shared();
      return embedAll(memories, embedders, options);
    },
    settled: async () => {
      if ((await pool?.followed(PATIENCE)) === false) host.warn(leftBehind(pool!.inUse.name));
    },
  };
}

const leftBehind = (embedder: string): VarveError =>
  new VarveError({
    code: "embedding-failed",
    message: `Memories were stored without vectors, since the embedder ${embedder} has not answered until the end.`,
    hint: "They are found by their words; varve.embed() makes the vectors when the embedder works again.",
    retryable: true,
    details: { embedder },
  });

const OPTIONS: OptionNames<MemoryOptions> = { scope: true, allowSecrets: true, halfLife: true };

/** Whose memories are meant. */
function checkMemoryOptions(options: MemoryOptions | undefined): Scope {
  const scope = checkScope(options?.scope);
  const { allowSecrets } = checkNames(options, OPTIONS, "varve.memory");
  if (allowSecrets === undefined || typeof allowSecrets === "boolean") return scope;
  throw invalidOption({ option: "allowSecrets", value: allowSecrets, allowed: "true or false" });
}

function memoriesOf(store: Store): Memories {
  if (store.memories !== undefined) return store.memories;
  throw new VarveError({
    code: "invalid-option",
    message: `The store "${store.name}" keeps no memories.`,
    hint: 'Use "memory", "sqlite:PATH", "file:FOLDER" or "postgres://…", or give your Store the property `memories`.',
    details: { option: "store", value: store.name },
  });
}

interface Parts {
  readonly memories: Memories;
  readonly pool: EmbedderPool;
  readonly options: MemoryOptions;
}

function portsOf(host: MemoryHost, { memories, pool, options }: Parts): MemoryPorts {
  const { store, now, newId, warn, redactions, retellings, carriers, forgotten } = host;
  return {
    memories,
    pool,
    now,
    newId,
    warn,
    redactions,
    retellings,
    carriers,
    ...(forgotten === undefined ? {} : { forgotten }),
    allowSecrets: options.allowSecrets ?? false,
    halfLife: checkHalfLife(options.halfLife),
    embedders: () => pool.asked(),
    countTokens,
    hasSession: async (session) => (await store.version(session)) > 0,
  };
}

function checkHalfLife(halfLife: number | undefined): number | undefined {
  if (halfLife === undefined || (typeof halfLife === "number" && halfLife > 0)) return halfLife;
  throw invalidOption({ option: "halfLife", value: halfLife, allowed: "milliseconds above 0" });
}

let counter: ReturnType<typeof createTokenCounter> | undefined;

/** Tokens of a memory as it is shown to a model. The counter's table is loaded when it is first needed. */
function countTokens(memory: Memory): number {
  counter ??= createTokenCounter();
  return counter.text(renderMemory(memory));
}
