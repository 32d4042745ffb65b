import type { Embedder } from "../embed/embedder.js";
import { VarveError } from "../errors.js";
import { type MemoryHit, type MemoryRow, type Scope, sees } from "../store/memories/memories.js";
import { type AnswerPorts, type Answers, answersAmong, similarityOf } from "./answering.js";
import { isDoneWithin } from "./in-time.js";
import type { Retrieved, RetrieveOptions } from "./memory.js";
import { askedSpeaker } from "./ranking/asked-speaker.js";
import { byScore, type Preferences, placeKey, type Ranked, rank, rankedNeighbour } from "./ranking/rank.js";
import { type RetrieveRequest, toRequest } from "./retrieve-request.js";
import { bodyOf } from "./row.js";
import { questionTerms, termsOf } from "./text/terms.js";
import type { Stretch } from "./when/calendar.js";

/** What retrieving needs from outside. */
export interface RetrievePorts extends AnswerPorts {
  /** Those whose vectors are there, the one in use first. */
  embedders(): Promise<readonly Embedder[]>;
  now(): number;
  warn(warning: VarveError): void;
  /** Milliseconds after which a memory counts half; undefined for never. */
  readonly halfLife: number | undefined;
}

/** Candidates by words and by meaning: enough that a neighbour's evidence is not missed. */
const CANDIDATES = 400;
const NAMED_TIME = 1.5;
const CLOSED = 0.6;
/** From this cosine on texts have to do with each other; below the other they have nothing to do with each other. */
const NEAR = 0.3;
const FAR = 0.15;
/** Memories that are few enough to be shown whatever is asked; and how many are kept where none is sure. */
const FEW = 10;
const SURE = 3;
/** Where a filter leaves too few, more candidates are looked at, so many times as many, up to this many. */
const WIDER = 8;
const MOST_CANDIDATES = 200_000;
/** Where many candidates say the same, so many are looked at. */
const MOST_FOLDED = 3_200;
/** How long an answer waits for a question's vector, in milliseconds: a view waits 5 s for all that it recalls. */
const QUESTION_PATIENCE = 2_000;
/** Share of an event's words that a text has which tells of it; a weaker match dates nothing. */
const EVENT_WORDS = 0.7;

/** The memories that answer a question best, best first. */
export async function retrieve(
  scope: Scope,
  { question, options }: { readonly question: string; readonly options: RetrieveOptions },
  ports: RetrievePorts,
): Promise<Retrieved[]> {
  const request = toRequest(question, options, ports.now());
  const within: Scope = { ...scope, tags: [...(scope.tags ?? []), ...request.tags] };
  const around = await aroundEvent(within, request, ports);
  const asked = withoutTime(question, request, around !== undefined);
  const vectors = await questionVectors(asked, ports, options.signal);
  const terms = questionTerms(asked);
  const preferences = preferencesOf(question, {
    request,
    matches: request.time.named?.matches ?? around,
    halfLife: ports.halfLife,
  });
  for (let limit = Math.max(CANDIDATES, 2 * request.limit); ; limit *= WIDER) {
    const hits = await ports.memories.search(within, { terms, vectors, limit, ...request.window });
    const ranked = rank(request.relevant ? tellingOf(hits) : hits, preferences);
    const { found, isFolded } = await answersIn(ranked, { scope: within, request, preferences, ports });
    const isWorthMore = request.filters || (isFolded && limit < MOST_FOLDED);
    if (found.length === request.limit || hits.length < limit || !isWorthMore || limit > MOST_CANDIDATES) return found;
  }
}

/** The answers as far down as they may reach; and from all of the candidates where many say the same. */
async function answersIn(ranked: readonly Ranked[], ranking: Ranking): Promise<Answers> {
  const { request } = ranking;
  const reach = request.filters ? ranked : ranked.slice(0, 4 * request.limit + 50);
  const answers = await answersAmong(await withNeighbours(reach, ranking), ranking);
  const isEnough = answers.found.length === request.limit || !answers.isFolded || reach.length === ranked.length;
  return isEnough ? answers : answersAmong(await withNeighbours(ranked, ranking), ranking);
}

/**
 * Without what has nothing to do with the question. Of few none is left out, and where nothing is sure to have to do
 * with it the nearest are kept: a question may share no word with its answer, and be of another language.
 */
function tellingOf(hits: readonly MemoryHit[]): readonly MemoryHit[] {
  if (hits.length <= FEW) return hits;
  const telling = hits.filter(isTelling);
  if (telling.length >= SURE) return telling;
  const rest = hits.filter((hit) => !isTelling(hit) && similarityOf(hit) >= FAR);
  const nearest = rest.toSorted((a, b) => similarityOf(b) - similarityOf(a)).slice(0, SURE - telling.length);
  return [...telling, ...nearest];
}

/** Whether a text shares a word with the question, or is near it in meaning. */
const isTelling = (hit: MemoryHit): boolean => hit.words > 0 || similarityOf(hit) >= NEAR;

/** An embedder that fails or takes too long leaves the words, with a warning; an abort is the caller's. */
async function questionVectors(question: string, ports: RetrievePorts, signal: AbortSignal | undefined) {
  const embedders = await ports.embedders();
  const vectors = await Promise.all(
    embedders.map(async (embedder) => {
      const asked = embedder.embed([question], signal === undefined ? {} : { signal });
      try {
        if (!(await isDoneWithin(QUESTION_PATIENCE, asked))) throw new Error(`it took over ${QUESTION_PATIENCE} ms`);
        return [{ embedder: embedder.name, values: (await asked)[0]! }];
      } catch (cause) {
        if (signal?.aborted) throw cause;
        ports.warn(wordsOnly(embedder.name, cause));
        return [];
      }
    }),
  );
  return vectors.flat();
}

const wordsOnly = (embedder: string, cause: unknown): VarveError =>
  new VarveError({
    code: "embedding-failed",
    message: `A question was asked by its words alone, since the embedder ${embedder} failed.`,
    hint: "Memories are found by meaning again when the embedder works.",
    cause,
    retryable: true,
    details: { embedder },
  });

/** What lies before or after a time or an event is not found by the words for it. */
function withoutTime(question: string, { time }: RetrieveRequest, isDated: boolean): string {
  const words = isDated ? time.relation!.event : time.named?.beside;
  return words === undefined ? question : question.replace(words, " ");
}

/** "Before the move": the time of what tells of the move. */
async function aroundEvent(scope: Scope, { time, window }: RetrieveRequest, { memories }: RetrievePorts) {
  if (time.relation === undefined) return undefined;
  const { side, event } = time.relation;
  const hits = await memories.search(scope, { ...window, terms: questionTerms(event), vectors: [], limit: 10 });
  const best = hits.reduce<MemoryHit | undefined>((a, b) => (a === undefined || b.words > a.words ? b : a), undefined);
  const [row] = best === undefined ? [] : await memories.get(scope, [best.id]);
  if (best === undefined || row === undefined || !tellsOf(bodyOf(row).content, event)) return undefined;
  return (at: number): boolean => (side === "before" ? at < best.time : at >= best.time);
}

function tellsOf(content: string, event: string): boolean {
  const words = questionTerms(event);
  const said = new Set(termsOf(content));
  return words.filter((word) => said.has(word)).length >= EVENT_WORDS * words.length;
}

interface Wanted {
  readonly request: RetrieveRequest;
  readonly matches: ((time: number) => boolean) | undefined;
  readonly halfLife: number | undefined;
}

function preferencesOf(question: string, { request, matches, halfLife }: Wanted): Preferences {
  const { asOf, closedIsDoubtful, time: asked } = request;
  const fading = (time: number): number => (halfLife === undefined ? 1 : 0.5 ** (Math.max(0, asOf - time) / halfLife));
  const holding = (until: number | undefined): number => (closedIsDoubtful && until !== undefined ? CLOSED : 1);
  return {
    speaker: askedSpeaker(question),
    time: (time, until) => {
      const isNamed = matches?.(time) || heldIn(asked.named?.stretch, time, until);
      return (isNamed ? NAMED_TIME : 1) * holding(until) * fading(time);
    },
  };
}

/** What no longer holds answers a question about the time when it did, whenever that was said. */
const heldIn = (stretch: Stretch | undefined, time: number, until: number | undefined): boolean =>
  stretch !== undefined && until !== undefined && time < stretch.to && until > stretch.from;

interface Ranking {
  readonly scope: Scope;
  readonly request: RetrieveRequest;
  readonly preferences: Preferences;
  readonly ports: RetrievePorts;
}

/** Neighbours that were no candidates are fetched. */
async function withNeighbours(
  reach: readonly Ranked[],
  { scope, request, preferences, ports }: Ranking,
): Promise<readonly Ranked[]> {
  const unknown = reach.filter(({ hit }) => hit === undefined);
  if (unknown.length === 0) return reach;
  const rows = await ports.memories.at(unknown);
  const byPlace = new Map(rows.filter((row) => isWanted(row, scope, request)).map((row) => [placeKey(row), row]));
  return reach
    .flatMap((one) => {
      if (one.hit !== undefined) return [one];
      const row = byPlace.get(placeKey(one));
      return row === undefined
        ? []
        : [rankedNeighbour(one, { ...row, words: 0, cosines: {}, passage: 0, passages: 1 }, preferences)];
    })
    .sort(byScore);
}

const isWanted = (
  row: MemoryRow,
  scope: Scope,
  { window: { from = -Infinity, to = Infinity, openAt } }: RetrieveRequest,
): boolean =>
  sees({ tags: scope.tags ?? [] }, { tags: row.tags }) &&
  row.time >= from &&
  row.time < to &&
  (openAt === undefined || row.until === undefined || row.until > openAt);
