/** What stands in for the past as layers of digests, with the prose of a summariser in front where there is one. */
import { extractiveSummariser } from "../../digest/extractive-summariser.js";
import { coverTo, type Layers, layersWithin, layerTokens } from "../../digest/layers.js";
import { summariseVerified, type VerifiedSummary } from "../../digest/summarise-verified.js";
import type { Summariser } from "../../digest/summariser.js";
import { foreignText } from "../../message/foreign-text.js";
import type { Position } from "../../message/positions.js";
import { type AloneSettings, strategyOf } from "../alone.js";
import { cutToPrepare } from "../plan-view.js";
import type { KeepInput, PastInput, PastPolicy, PlanInput, Policy } from "../policy.js";
import type { BuiltInStrategy, Work, WorkInput } from "../strategy.js";

export interface LayersPolicy {
  /** Share of the room that system prompt and tools leave which digests may take together. */
  readonly digestShare: number;
  /** Share of it that a digest made from messages may take. */
  readonly largestLeafShare: number;
  /** So many digests of one level are merged into one of the next. */
  readonly fanout: number;
  /** Share of their room that digests take after they outgrew it. */
  readonly trimShare: number;
  /** Writes prose about what left the window, in the background; without one the digests stand alone. */
  readonly summariser?: Summariser;
  readonly onSummary?: (summary: VerifiedSummary) => void;
}

export interface LayeredOptions {
  readonly layers: LayersPolicy;
  readonly due: Pick<Policy, "due">;
  /** What is kept in full from before the cut, in which share of the room. */
  readonly keep?: { readonly share: number; readonly choose: (input: KeepInput) => readonly Position[] };
  readonly withSummariser: (summariser: Summariser) => BuiltInStrategy;
}

interface TailSettings extends AloneSettings {
  readonly lockLast?: number;
  readonly resultShare?: number;
}

/** A strategy whose views show layers of digests for the past. */
export function layeredStrategy(name: string, given: TailSettings, options: LayeredOptions): BuiltInStrategy {
  const { layers, due, keep, withSummariser } = options;
  const { lockLast = 2, resultShare = 0.25 } = given;
  const hasProse = layers.summariser !== undefined;
  const policy: Policy = {
    name,
    lockLast,
    resultShare,
    clears: false,
    past: layered(layers, keep),
    ...due,
    ...(hasProse && { prepared: (own: unknown) => proseIn(own).upTo }),
  };
  const work = (input: WorkInput) => proseWork(input, policy, layers);
  const strategy = strategyOf(name, given, { policy, ...(hasProse && { work }) });
  return hasProse ? strategy : { ...strategy, withSummariser };
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

function layered(policy: LayersPolicy, keep: LayeredOptions["keep"]): PastPolicy {
  const { digestShare, largestLeafShare, fanout, trimShare, summariser } = policy;
  const share = summariser === undefined ? digestShare : digestShare * (1 - PROSE_SHARE);
  const layersOf = ({ state, reading }: PlanInput): Layers =>
    (state.past?.made as Layers | undefined) ?? { covered: reading.log.start, digests: [] };
  const proseTokens = ({ reading, state }: PlanInput) => {
    const { text } = proseIn(state.own);
    return text === "" ? 0 : reading.tokens(reading.said("user", text));
  };
  const write = ({ plan, cut, room, space }: PastInput) => {
    const { log, counter, identifiers: index } = plan.reading;
    const { text: prose } = proseIn(plan.state.own);
    const left = Math.min(room - proseTokens(plan), Math.floor(space * share));
    if (left < LEAST_ROOM)
      return prose === "" ? undefined : { text: foreignText(prose), covers: [], made: layersOf(plan) };
    const leaf = Math.max(Math.floor(left * (largestLeafShare / share)), left - layerTokens(layersOf(plan)));
    const input = { log, counter, index, fanout, leaf, room: left, trimShare };
    const made = coverTo(layersOf(plan), cut, input);
    const shown = layersWithin(made, left, input);
    const covers = shown.digests.map(({ id, from, to }) => ({ id, from, to }));
    const text = [...(prose === "" ? [] : [foreignText(prose)]), ...shown.digests.map((digest) => digest.text)].join(
      "\n\n",
    );
    return text === "" ? undefined : { text, covers, made };
  };
  return {
    bound: (input, room) => {
      const digests = Math.min(room * share, layerTokens(layersOf(input)) + room * largestLeafShare);
      return Math.floor(digests + room * (keep?.share ?? 0)) + proseTokens(input);
    },
    ...(keep && { keep: (input) => keep.choose({ ...input, room: Math.floor(input.room * keep.share) }) }),
    write,
    stamp: (own) => proseIn(own).text,
    ...(summariser && { written: ({ budget }) => Math.floor(budget.usable * digestShare * PROSE_SHARE) }),
  };
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
  const maxTokens = Math.floor(budget.usable * digestShare * PROSE_SHARE);
  return {
    id: `${log.entries[cut - 1]!.id} ${text.length}`,
    run: async ({ summariser = own, signal, onSummary: tell }) => {
      const messages = log.entries.slice(from, cut).map(({ message }) => message);
      const request = {
        messages,
        maxTokens,
        counter,
        ...(text !== "" && { previous: text }),
        ...(signal && { signal }),
      };
      const summary = await summariseVerified(summariser, request, extractiveSummariser());
      for (const listener of [onSummary, tell]) await told(listener, summary);
      if (summary.path === "none" || summary.text === "") return { text, upTo, tried: cut } satisfies Prose;
      return { text: summary.text, upTo: cut, tried: cut } satisfies Prose;
    },
  };
}

/** Nobody waits for a listener, so what it throws is dropped. */
async function told(
  listener: ((summary: VerifiedSummary) => void) | undefined,
  summary: VerifiedSummary,
): Promise<void> {
  try {
    await listener?.(summary);
  } catch {}
}
