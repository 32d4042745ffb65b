import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { type Message, openVarve, type Session, type Varve, VarveError, type ViewRequest } from "../src/index.js";
import { isCut } from "../src/view/receipt.js";
import type { WindowSettings } from "../src/view/settings.js";
import {
  conversation,
  requests,
  STRATEGIES,
  type StrategyName,
  strategyName,
  windowSettings,
} from "./support/plans.js";
import { runs } from "./support/runs.js";

const folder = mkdtempSync(join(tmpdir(), "varve-states-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = (): string => `sqlite:${join(folder, `${files++}.db`)}`;

/** What is done with a session between an append and the view after it. */
type Act =
  | { readonly kind: "none" | "compact" | "checkpoint" | "restore" | "undo" | "unpin" }
  | { readonly kind: "pin" | "configure" | "usage"; readonly at: number };

interface Step {
  readonly messages: readonly Message[];
  readonly act: Act;
  readonly request: ViewRequest;
  /** Milliseconds that pass before it. */
  readonly pause: number;
}

interface Story {
  readonly name: StrategyName;
  readonly settings: WindowSettings;
  readonly steps: readonly Step[];
}

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ kind: "none" as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom("compact" as const, "checkpoint" as const, "undo" as const) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "restore" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("configure" as const), at: fc.integer({ min: 0, max: 4_000 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "unpin" as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("pin" as const), at: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("usage" as const), at: fc.integer({ min: 90, max: 130 }) }),
  },
);

const story: fc.Arbitrary<Story> = fc
  .record({
    name: strategyName,
    settings: windowSettings,
    messages: conversation,
    acts: fc.array(act, { minLength: 1, maxLength: 20 }),
    asked: requests,
    sizes: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 9 }),
    pauses: fc.array(fc.constantFrom(1, 1, 1, 10 * 60_000), { minLength: 1, maxLength: 9 }),
  })
  .map(({ name, settings, messages, acts, asked, sizes: drawn, pauses }) => {
    const steps: Step[] = [];
    const sizes = [1, ...drawn];
    for (let from = 0, at = 0; from < messages.length; at++) {
      const to = from + sizes[at % sizes.length]!;
      steps.push({
        messages: messages.slice(from, to),
        act: acts[at % acts.length]!,
        request: asked[at % asked.length]!,
        pause: pauses[at % pauses.length]!,
      });
      from = to;
    }
    return { name, settings, steps };
  });

/** A process that has the session open, and may end at any step. */
class Process {
  readonly #story: Story;
  readonly #store: string;
  #varve: Varve | undefined;
  time = 0;

  constructor(story: Story, store: string) {
    this.#story = story;
    this.#store = store;
  }

  /** A session goes on with the options that its store knows; a schema is none that can be stored. */
  async start(): Promise<Session> {
    const { name, settings } = this.#story;
    const isFirst = this.#varve === undefined;
    this.#varve = await openVarve({ store: this.#store, now: () => this.time });
    const strategy = isFirst || name === "entities" ? { strategy: STRATEGIES[name]() } : {};
    return this.#varve.session("s", { ...(isFirst && settings), ...strategy });
  }

  async end(): Promise<void> {
    await this.#varve?.close();
  }
}

const EXPECTED = /^(?:floor-exceeds-window|nothing-removed|undo-refused|pin-refused|not-found)$/;

/** The code of a documented refusal. */
function refused(error: unknown): string {
  if (!VarveError.isInstance(error) || !EXPECTED.test(error.code)) throw error;
  return error.code;
}

/** What a request leaves out a process takes from the one before it, which no store has. */
const BARE: ViewRequest = { system: "", tools: [], context: "" };

async function take(session: Session, { messages, act, request }: Step): Promise<void> {
  await session.append(messages);
  const entries = session.entries();
  switch (act.kind) {
    case "compact":
      await session.compact({ ...BARE, ...request });
      break;
    case "checkpoint":
      await session.checkpoint();
      break;
    case "restore":
      await session.restore(session.checkpoints().at(-1)?.id ?? "none");
      break;
    case "undo":
      await session.undo();
      break;
    case "configure":
      session.configure({ window: 1_000 + act.at });
      break;
    case "usage":
      session.reportUsage({ inputTokens: Math.round(((session.status().tokens ?? 0) * act.at) / 100) });
      break;
    case "unpin":
      session.unpin(session.pins()[0]?.entry ?? "none");
      break;
    case "pin":
      session.pin(entries[act.at % entries.length]?.id ?? "none");
  }
}

const shownBy = async (session: Session, request: ViewRequest): Promise<string> =>
  session.view(request).then(({ messages }) => JSON.stringify(messages), refused);

describe("a session that is stopped at any step and opened again", () => {
  it("shows what one that lives on shows, at every later step", async () => {
    const stops = fc.array(fc.constantFrom("no", "no", "before", "between"), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(story, stops, async (given, stopping) => {
        const [lasting, stopped] = [new Process(given, "memory"), new Process(given, newFile())];
        const one = await lasting.start();
        let other = await stopped.start();
        const again = async () => {
          await stopped.end();
          other = await stopped.start();
        };
        for (const [at, step] of given.steps.entries()) {
          const stop = stopping[at % stopping.length];
          for (const each of [lasting, stopped]) each.time += step.pause;
          if (stop === "before" && at > 0) await again();
          expect(await take(other, step).catch(refused)).toBe(await take(one, step).catch(refused));
          if (stop === "between") await again();
          expect(await shownBy(other, step.request)).toBe(await shownBy(one, step.request));
        }
        await Promise.all([lasting, stopped].map((each) => each.end()));
      }),
      { numRuns: runs(15), endOnFailure: true },
    );
  });
});

describe("undo", () => {
  it.each(["memory", "sqlite"])(
    "shows byte for byte what was shown before the cuts that it takes back: %s",
    async (store) => {
      const cut = fc.constantFrom("compact" as const, "cold" as const);
      const cuts = fc.array(fc.array(cut, { maxLength: 3 }), { minLength: 1, maxLength: 9 });
      await fc.assert(
        fc.asyncProperty(story, cuts, async (given, drawn) => {
          const process = new Process(given, store === "memory" ? store : newFile());
          const session = await process.start();
          for (const [at, { messages, request: asked }] of given.steps.entries()) {
            await session.append(messages);
            const request = { ...asked, cache: "warm" as const };
            const before = await shownBy(session, request);
            const made = session.receipts().at(-1)?.id;
            for (const kind of drawn[at % drawn.length]!) {
              if (kind === "cold") await session.view({ ...request, cache: "cold" }).catch(refused);
              else await session.compact(request).catch(refused);
            }
            const receipts = session.receipts();
            const since = receipts.slice(receipts.findIndex(({ id }) => id === made) + 1);
            for (const _ of since.filter(isCut)) await session.undo();
            expect(await shownBy(session, request)).toBe(before);
          }
          await process.end();
        }),
        { numRuns: runs(15), endOnFailure: true },
      );
    },
  );
});
