/** What stands in for the past as layers of digests, with the prose of a summariser in front where there is one. */
import type { z } from "zod";
import { extractiveSummariser } from "../../digest/extractive-summariser.js";
import { coverTo, type Layers, layersWithin, layerTokens } from "../../digest/layers.js";
import { summariseVerified, type VerifiedSummary } from "../../digest/summarise-verified.js";
import type { Summariser } from "../../digest/summariser.js";
import { foreignText } from "../../message/foreign-text.js";
import type { Position } from "../../message/positions.js";
import { strategyOf } from "../alone.js";
import { cutToPrepare } from "../plan-view.js";
import type { KeepInput, PastInput, PastPolicy, PlanInput, Policy } from "../policy.js";
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
export const digestFields = {
  /** Share of the room that system prompt and tools leave which digests may take together. */
  digestShare: share.optional(),
  /** Share of it that a digest made from messages may take. */
  largestLeafShare: share.optional(),
  /** So many digests of one level are merged into one of the next. */
  fanout: whole(2, " of digests").optional(),
  /** Share of their room that digests take after they outgrew it. */
  trimShare: share.optional(),
};

type Given = z.output<z.ZodObject<typeof layeredFields>>;
type LayersPolicy = Required<z.output<z.ZodObject<typeof digestFields>>> & Pick<Given, "summariser" | "onSummary">;

interface LayeredOptions {
  readonly layers: LayersPolicy;
  readonly turns?: Pick<ThresholdOptions, "threshold" | "keepLastTurns">;
  /** What is kept in full from before the cut, in which share of the room. */
  readonly keep?: { readonly share: number; readonly choose: (input: KeepInput) => readonly Position[] };
  readonly withSummariser: (summariser: Summariser) => BuiltInStrategy;
}

/** A strategy whose views show layers of digests for the past. */
export function layeredStrategy(name: string, given: Given, options: LayeredOptions): BuiltInStrategy {
  const { layers, turns, keep, withSummariser } = options;
  const { lockLast = 2, resultShare = 0.25, after } = given;
  const past = layered(layers, keep);
  const policy: Policy = { name, lockLast, resultShare, clears: false, past, ...duePolicy({ after, ...turns }) };
  if (layers.summariser === undefined) return { ...strategyOf(name, given, { policy }), withSummariser };
  const prepared: Policy = { ...policy, prepared: (own: unknown) => proseIn(own).upTo };
  return strategyOf(name, given, { policy: prepared, work: (input) => proseWork(input, prepared, layers) });
}

/** Share of the digests' tokens that the prose of a summariser may take. */
const PROSE_SHARE = 0.3;
/** Least tokens for which digests are written at all. */
const LEAST_ROOM = 24;

/** The prose of a strategy: what it says, up to where, and up to where it was tried. */
interface Prose {
  readonly text: string;
  readonly upTo: Position;
  readonly tried: Position;
}

const proseIn = (own: unknown): Prose => (own as Prose | undefined) ?? { text: "", upTo: 0, tried: 0 };

const layersIn = ({ state, reading }: PlanInput): Layers =>
  (state.past?.made as Layers | undefined) ?? { covered: reading.log.start, digests: [] };

function proseTokens({ reading, state }: PlanInput): number {
  const { text } = proseIn(state.own);
  return text === "" ? 0 : reading.tokens(reading.said("user", text));
}

function layered(layers: LayersPolicy, keep: LayeredOptions["keep"]): PastPolicy {
  const { digestShare, largestLeafShare, summariser } = layers;
  const share = summariser === undefined ? digestShare : digestShare * (1 - PROSE_SHARE);
  return {
    bound: (input, room) => {
      const digests = Math.min(room * share, layerTokens(layersIn(input)) + room * largestLeafShare);
      return Math.floor(digests + room * (keep?.share ?? 0)) + proseTokens(input);
    },
    ...(keep && { keep: (input) => keep.choose({ ...input, room: Math.floor(input.room * keep.share) }) }),
    write: (input) => written(input, layers, share),
    stamp: (own) => proseIn(own).text,
    ...(summariser && { written: ({ budget }) => Math.floor(budget.usable * digestShare * PROSE_SHARE) }),
  };
}

/** The prose, and the digests that cover the rest in what room it leaves, and in their share of the space. */
function written({ plan, cut, room, space }: PastInput, layers: LayersPolicy, share: number) {
  const { largestLeafShare, fanout, trimShare } = layers;
  const { log, counter, identifiers: index } = plan.reading;
  const { text } = proseIn(plan.state.own);
  const prose = text === "" ? [] : [foreignText(text)];
  const before = layersIn(plan);
  const left = Math.min(room - proseTokens(plan), Math.floor(space * share));
  if (left < LEAST_ROOM) return text === "" ? undefined : { text: prose.join(), covers: [], made: before };
  const leaf = Math.max(Math.floor(left * (largestLeafShare / share)), left - layerTokens(before));
  const input = { log, counter, index, fanout, leaf, room: left, trimShare };
  const made = coverTo(before, cut, input);
  const { digests } = layersWithin(made, left, input);
  const parts = [...prose, ...digests.map((digest) => digest.text)];
  const covers = digests.map(({ id, from, to, level }) => ({ id, from, to, level }));
  return parts.length === 0 ? undefined : { text: parts.join("\n\n"), covers, made };
}

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
      const messages = log.entries.slice(from, cut).map(({ message }) => message);
      const maxTokens = Math.floor(budget.usable * digestShare * PROSE_SHARE);
      const previous = text === "" ? {} : { previous: text };
      const request = { messages, maxTokens, counter, ...previous, ...(signal && { signal }) };
      const summary = await summariseVerified(summariser, request, extractiveSummariser());
      for (const listener of [onSummary, tell]) await told(listener, summary);
      if (summary.path === "none" || summary.text === "") return { text, upTo, tried: cut };
      return { text: summary.text, upTo: cut, tried: cut };
    },
  };
}

/** Nobody waits for a listener, so what it throws is dropped. */
async function told(listener: LayersPolicy["onSummary"], summary: VerifiedSummary): Promise<void> {
  try {
    await listener?.(summary);
  } catch {}
}
