/** What stands in for the past as notes, with the prose of a summariser in front where there is one. */
import type { z } from "zod";
import { foreignText } from "../../message/foreign-text.js";
import type { Position } from "../../message/positions.js";
import { type Notes, noNotes } from "../../notes/notes.js";
import { renderNotes } from "../../notes/render-notes.js";
import { summariseVerified, type VerifiedSummary } from "../../notes/summarise-verified.js";
import type { Summariser } from "../../notes/summariser.js";
import { compacted, sourceOf, takeNotes } from "../../notes/take-notes.js";
import { worthIn } from "../../notes/worth.js";
import { strategyOf } from "../alone.js";
import type { Budget } from "../budget.js";
import { cutToPrepare } from "../plan-view.js";
import type { KeepInput, PastInput, PastPolicy, PlanInput, Policy } from "../policy.js";
import type { Reading } from "../reading.js";
import type { BuiltInStrategy, Work, WorkInput } from "../strategy.js";
import { aloneFields, called, share, summariser, tailFields, whole } from "./check-options.js";
import { duePolicy, type ThresholdOptions, thresholdFields } from "./thresholds.js";

export const layeredFields = {
  ...aloneFields,
  ...tailFields,
  ...thresholdFields,
  /** Writes prose about what left the window, in the background; without one the log's own words stand alone. */
  summariser: summariser.optional(),
  onSummary: called<(summary: VerifiedSummary) => void>("a function").optional(),
};
export const notesFields = {
  /** Share of the room that system prompt and tools leave which notes may take, beside what the newest exchanges need. */
  digestShare: share.optional(),
  /** Share of it by which notes may grow with a cut. */
  largestLeafShare: share.optional(),
  /** Options of 0.1.0 that stored sessions and files may have; notes do without them. */
  fanout: whole(2, " of digests").optional(),
  trimShare: share.optional(),
};

type Given = z.output<z.ZodObject<typeof layeredFields>>;
type LayersPolicy = Required<Pick<z.output<z.ZodObject<typeof notesFields>>, "digestShare" | "largestLeafShare">> &
  Pick<Given, "summariser" | "onSummary">;

interface LayeredOptions {
  readonly layers: LayersPolicy;
  readonly turns?: Pick<ThresholdOptions, "threshold" | "keepLastTurns">;
  /** What is kept in full from before the cut, in which share of the room. */
  readonly keep?: {
    readonly share: number;
    readonly choose: (input: KeepInput) => readonly Position[];
    readonly scores: NonNullable<PastPolicy["scores"]>;
  };
  readonly withSummariser: (summariser: Summariser) => BuiltInStrategy;
}

/** A strategy whose views show notes on the past. */
export function layeredStrategy(name: string, given: Given, options: LayeredOptions): BuiltInStrategy {
  const { layers, turns, keep, withSummariser } = options;
  const { lockLast = 2, resultShare = 0.25, after } = given;
  const past = layered(layers, keep);
  const policy: Policy = { name, lockLast, resultShare, clears: false, past, ...duePolicy({ after, ...turns }) };
  if (layers.summariser === undefined) return { ...strategyOf(name, given, { policy }), withSummariser };
  const prepared: Policy = { ...policy, prepared: (own: unknown) => proseIn(own).tried };
  return strategyOf(name, given, { policy: prepared, work: (input) => proseWork(input, prepared, layers) });
}

/** Share of the notes' tokens that the prose of a summariser may take, and the most of it: it only adds to the notes. */
const PROSE_SHARE = 0.3;
const MOST_PROSE = 3_000;
/** Tokens of the notes that a summariser is shown, so that it does not say again what they say. */
const SHOWN_NOTES = 3_000;
/** Least tokens for which notes are written at all. */
const LEAST_ROOM = 24;

/** The prose of a strategy: what it says, up to where, and up to where it was tried. */
interface Prose {
  readonly text: string;
  readonly upTo: Position;
  readonly tried: Position;
}

const proseIn = (own: unknown): Prose => (own as Prose | undefined) ?? { text: "", upTo: 0, tried: 0 };

/** What a session of an earlier version kept is not taken over: its log has all of it. */
function notesIn({ state, reading }: PlanInput): Notes {
  const made = state.past?.made as Partial<Notes> | undefined;
  return made?.version === 1 ? (made as Notes) : noNotes(reading.log.start);
}

const mostProse = ({ usable }: Budget, digestShare: number): number =>
  Math.min(MOST_PROSE, Math.floor(usable * digestShare * PROSE_SHARE));

function proseTokens({ reading, state }: PlanInput): number {
  const { text } = proseIn(state.own);
  return text === "" ? 0 : reading.tokens(reading.said("user", text));
}

function layered(layers: LayersPolicy, keep: LayeredOptions["keep"]): PastPolicy {
  const { digestShare: share, largestLeafShare, summariser } = layers;
  return {
    bound: (input, room) => {
      const before = input.state.past?.tokens ?? 0;
      const notes = Math.min(mostNotes(room, share), before + room * largestLeafShare + proseTokens(input));
      return Math.floor(notes + room * (keep?.share ?? 0));
    },
    ...(keep && {
      keep: (input) => keep.choose({ ...input, room: Math.floor(input.room * keep.share) }),
      scores: keep.scores,
    }),
    write: (input) => written(input, share),
    stamp: (own) => proseIn(own).text,
    ...(summariser && { written: ({ budget }) => mostProse(budget, share) }),
  };
}

/** Tokens that the newest exchanges need whatever the window: of the rest notes get their share. */
const TAIL_ROOM = 600;

const mostNotes = (room: number, share: number): number => Math.floor(Math.max(room / 2, room - TAIL_ROOM) * share);

/** The prose, and the notes on the rest in what room it leaves, and in their share of the space. */
function written({ plan, cut, shown: kept, room, space }: PastInput, share: number) {
  const { log, counter, identifiers: index } = plan.reading;
  const { text } = proseIn(plan.state.own);
  const prose = text === "" ? [] : [foreignText(text)];
  const before = notesIn(plan);
  const left = Math.min(room, mostNotes(space, share)) - proseTokens(plan);
  if (left < LEAST_ROOM) return text === "" ? undefined : { text: prose.join(), covers: [], made: before };
  index.readTo(log.entries.length, log);
  const now = log.entries.length;
  const shown = namedAt([...kept, ...positions(cut, now)], plan.reading);
  const appraisal = { counter, now, worth: worthIn({ index, now, shown }) };
  // What the tail shows today may be gone from it tomorrow: only the rendering leaves it out.
  const lasting = { ...appraisal, worth: worthIn({ index, now }) };
  const made = compacted(takeNotes(before, cut, sourceOf(log, counter)), mostNotes(space, share) * KEPT, lasting);
  index.forget(cut);
  const idAt = (position: Position) => log.entries[position]!.id;
  const rendered = renderNotes(made, { ...appraisal, room: left, idAt, shown: new Set(kept) });
  if (rendered === undefined) return text === "" ? undefined : { text: prose.join(), covers: [], made };
  const covers = rendered.told.map(({ from, to }) => ({
    id: `${idAt(from)}-${idAt(to - 1)}`,
    from,
    to,
    level: made.level - 1,
  }));
  return { text: [...prose, rendered.text].join("\n\n"), covers, made };
}

/** The identifiers of entries. */
export function namedAt(entries: readonly Position[], { log, identifiers: index }: Reading): Set<string> {
  const named = new Set<string>();
  for (const at of entries)
    for (const { identifiers } of index.mentionsAt(at, log)) for (const each of identifiers) named.add(each);
  return named;
}

export const positions = (from: Position, to: Position): Position[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

/** Notes keep so many times what a view shows of them: at another cut other statements may count. */
const KEPT = 2;

/** The prose that a summariser is to write: about everything before the cut, taken up from where it stands. */
function proseWork(input: WorkInput, policy: Policy, layers: LayersPolicy): Work | undefined {
  const { reading, budget, state } = input;
  const { summariser: own, onSummary, digestShare } = layers;
  const { log, counter } = reading;
  const { text, upTo, tried } = proseIn(state.own);
  const cut = cutToPrepare({ ...input, request: {}, pinned: [] }, policy);
  const from = Math.max(upTo, log.start);
  if (own === undefined || cut <= Math.max(tried, from)) return undefined;
  return {
    id: `${log.entries[cut - 1]!.id} ${text.length}`,
    run: async ({ summariser = own, signal, onSummary: tell }): Promise<Prose> => {
      const entries = log.entries.slice(from, cut);
      const request = {
        messages: entries.map(({ message }) => message),
        ids: entries.map(({ id }) => id),
        notes: notesBeside(reading, from, cut),
        maxTokens: mostProse(budget, digestShare),
        counter,
        ...(text !== "" && { previous: text }),
        ...(signal && { signal }),
      };
      // Where it fails, the notes stand by themselves, and the next time it reads what it has missed.
      const earlier: Summariser = { name: "notes", summarise: async () => ({ text, madeBy: "extractive" }) };
      const summary = await summariseVerified(summariser, request, earlier);
      for (const listener of [onSummary, tell]) await told(listener, summary);
      const isWritten = summary.path === "first" || summary.path === "second";
      return isWritten ? { text: summary.text, upTo: cut, tried: cut } : { text, upTo, tried: cut };
    },
  };
}

/** What the notes say of a stretch of the log. */
function notesBeside({ log, counter, identifiers: index }: Reading, from: Position, to: Position): string {
  const now = log.entries.length;
  index.readTo(now, log);
  const notes = takeNotes(noNotes(from), to, sourceOf(log, counter));
  const idAt = (position: Position) => log.entries[position]!.id;
  return renderNotes(notes, { room: SHOWN_NOTES, counter, now, worth: worthIn({ index, now }), idAt })?.text ?? "";
}

/** Nobody waits for a listener, so what it throws is dropped. */
async function told(listener: LayersPolicy["onSummary"], summary: VerifiedSummary): Promise<void> {
  try {
    await listener?.(summary);
  } catch {}
}
