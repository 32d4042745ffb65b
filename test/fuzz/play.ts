import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import {
  entities,
  hierarchical,
  importance,
  type Message,
  openVarve,
  type Session,
  type Strategy,
  slidingWindow,
  summarization,
  type Varve,
  VarveError,
} from "../../src/index.js";
import { letterEmbedder } from "../support/remembering.js";
import { checkView, type ProviderName } from "./check-view.js";
import type { Breach } from "./rules/request.js";
import type { Scenario, Step, StrategyName } from "./scenario.js";

export interface Finding extends Breach {
  /** Undefined where it is no matter of a provider. */
  readonly provider: ProviderName | undefined;
  readonly step: number;
}

export interface Played {
  readonly views: number;
  readonly findings: readonly Finding[];
  /** How often each documented refusal came. */
  readonly refusals: Readonly<Record<string, number>>;
}

/** Refusals that a caller has to reckon with; any other error means that something broke. */
const EXPECTED = /^(?:floor-exceeds-window|too-many-messages|nothing-removed|undo-refused|pin-refused|not-found)$/;

/** Plays a scenario, and checks every view of it with each of the providers. */
export async function play(scenario: Scenario, providers: readonly ProviderName[]): Promise<Played> {
  const player = new Player(scenario, providers);
  try {
    await player.play();
  } finally {
    await player.close();
  }
  return player;
}

class Player implements Played {
  views = 0;
  readonly findings: Finding[] = [];
  readonly refusals: Record<string, number> = {};
  readonly #scenario: Scenario;
  readonly #providers: readonly ProviderName[];
  readonly #folder: string | undefined;
  #varve: Varve | undefined;
  #session!: Session;
  #time = Date.UTC(2026, 0, 2, 8);
  #memories = 0;
  #opened = 0;

  constructor(scenario: Scenario, providers: readonly ProviderName[]) {
    this.#scenario = scenario;
    this.#providers = providers;
    this.#folder = scenario.store === "memory" ? undefined : mkdtempSync(join(tmpdir(), "varve-fuzz-"));
  }

  async play(): Promise<void> {
    await this.#open();
    for (const [at, step] of this.#scenario.steps.entries()) {
      try {
        await this.#take(step, at);
      } catch (error) {
        if (this.#isExpected(error)) continue;
        const excerpt = error instanceof Error ? error.stack?.slice(0, 900) : error;
        const rule = VarveError.isInstance(error) ? `error ${error.code}` : "crash";
        this.findings.push({ rule, at: step.kind, excerpt, provider: undefined, step: at });
        return;
      }
    }
  }

  async close(): Promise<void> {
    await this.#varve?.close().catch(() => undefined);
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  async #open(): Promise<void> {
    const { store, options, policy, strategy } = this.#scenario;
    const place = store === "sqlite" ? `sqlite:${join(this.#folder!, "store.db")}` : `file:${this.#folder}`;
    const now = () => {
      this.#time += 1_000;
      return this.#time;
    };
    const embedder = letterEmbedder;
    const shared = { embedder, now, onWarning: () => undefined };
    this.#varve = await openVarve({ ...shared, store: store === "memory" ? "memory" : place });
    // A session that the store knows goes on with the options that it had; a schema is none that can be stored.
    const given = this.#opened++ === 0 ? options : {};
    const isStored = this.#opened > 1 && strategy !== "entities";
    this.#session = await this.#varve.session("s", isStored ? {} : { ...given, strategy: MAKE[strategy](policy) });
  }

  #isExpected(error: unknown): boolean {
    if (!VarveError.isInstance(error) || !EXPECTED.test(error.code)) return false;
    this.refusals[error.code] = (this.refusals[error.code] ?? 0) + 1;
    return true;
  }

  async #take(step: Step, at: number): Promise<void> {
    const session = this.#session;
    const entries = session.entries();
    switch (step.kind) {
      case "append":
        await session.append(step.messages);
        break;
      case "view":
        await this.#view(step, at);
        break;
      case "pin": {
        const entry = entries[step.at % Math.max(1, entries.length)];
        if (entry !== undefined) session.pin(entry.id, { by: step.by, ...(step.turns && { turns: step.turns }) });
        break;
      }
      case "unpin": {
        const pin = session.pins()[0];
        if (pin !== undefined) session.unpin(pin.entry);
        break;
      }
      case "restore": {
        const checkpoints = session.checkpoints();
        const checkpoint = checkpoints[step.at % Math.max(1, checkpoints.length)];
        if (checkpoint !== undefined) await session.restore(checkpoint.id);
        break;
      }
      case "configure":
        session.configure({ window: step.window, reserve: 0 });
        break;
      case "usage":
        session.reportUsage({ inputTokens: Math.round((session.status().tokens ?? 0) * step.ratio) });
        break;
      case "remember":
        await this.#remember(step.text);
        break;
      case "reopen":
        await this.#varve!.close();
        await this.#open();
        break;
      case "compact":
        await session.compact();
        break;
      case "undo":
        await session.undo();
        break;
      case "checkpoint":
        await session.checkpoint();
        break;
      case "turn":
        await session.flush();
    }
  }

  async #remember(text: string): Promise<void> {
    if (text.trim() === "") return;
    this.#memories++;
    await this.#varve!.memory({ scope: { user: "ann" } }).store(`${this.#memories}: ${text}`);
  }

  async #view({ request }: Extract<Step, { kind: "view" }>, at: number): Promise<void> {
    this.views++;
    const session = this.#session;
    const view = await session.view(request);
    const entries = session.entries();
    const asked = entries.findLast(({ message }) => message.role === "user" && marksOf(message).length > 0)?.message;
    const pins = new Set(session.pins().map(({ entry }) => entry));
    const expected = {
      limit: /^o200k|^openai/.test(session.status().counter) ? this.#limit() : undefined,
      beside: (request.tools ?? []).flatMap(({ name, description = "" }) => [name, description]),
      asked: asked && marksOf(asked)[0],
      pinned: entries.flatMap(({ id, message }) => (pins.has(id) ? marksOf(message) : [])),
    };
    for (const provider of this.#providers)
      for (const breach of await checkView(view.messages, { ...expected, provider }))
        this.findings.push({ ...breach, provider, step: at });
  }

  #limit(): number {
    const { window, reserve } = this.#session.status().budget;
    return window - reserve;
  }
}

const STATE = z.object({ city: z.string().describe("Where the user lives"), port: z.number() });

/** Made anew each time, as a process does that comes later. */
const MAKE: Readonly<Record<StrategyName, (policy: Scenario["policy"]) => Strategy>> = {
  "sliding-window": slidingWindow,
  summarization,
  hierarchical,
  importance,
  entities: (policy) => entities({ schema: STATE, ...policy }),
};

/** The marks that texts of a message begin with. */
function marksOf({ role, content }: Message): number[] {
  if (role === "system" || role === "tool") return [];
  const texts =
    typeof content === "string" ? [content] : content.map((part) => (part.type === "text" ? part.text : ""));
  return texts.flatMap((text) => /^⟦(\d+)⟧/.exec(text)?.slice(1).map(Number) ?? []);
}
