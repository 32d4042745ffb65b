import type { MemoryRow, Scope } from "../store/memories/memories.js";
import { requestsIn } from "./facts/requests.js";
import { type ForgetPorts, type ForgetReceipt, forgetRows } from "./forgetting.js";
import { currentKeys } from "./keys.js";
import type { MemoryInput, StoreReceipt } from "./memory.js";
import { sourceOf } from "./prepare.js";
import { bodyOf, iso, type MemoryBody } from "./row.js";
import { type StorePorts, storeTexts } from "./storing.js";
import { questionTerms, termsOf } from "./text/terms.js";

/** What came of a turn. */
export interface ObserveReceipt {
  /** One for each text. */
  readonly texts: readonly StoreReceipt[];
  /** What the user asked to be forgotten, and was. */
  readonly forgotten: readonly ForgetReceipt[];
  /** Ids of the memories that the user said to hold no longer. */
  readonly ended: readonly string[];
}

export type ObservePorts = StorePorts & ForgetPorts;

const CANDIDATES = 50;
/** Share of a description's words that a memory has which is meant by it, and how much longer it may be. */
const MEANT = 0.8;
const LONGER = 4;
const FEWEST_WORDS = 2;

/**
 * Takes in what was said: it is stored, and what the user asks of the memory itself is done. A request to forget is not
 * stored: it repeats what is to go.
 */
export async function observeTexts(
  scope: Scope,
  inputs: readonly MemoryInput[],
  ports: ObservePorts,
): Promise<ObserveReceipt> {
  const texts: StoreReceipt[] = [];
  const forgotten: ForgetReceipt[] = [];
  const ended: string[] = [];
  let plain: MemoryInput[] = [];
  const storePlain = async (): Promise<void> => {
    texts.push(...(await storeTexts(scope, plain, ports)));
    plain = [];
  };
  for (const input of inputs) {
    const { forget, expired } = sourceOf(input) === "user" ? requestsIn(input.content) : { forget: [], expired: [] };
    if (forget.length + expired.length === 0) {
      plain.push(input);
      continue;
    }
    await storePlain();
    const request = input.entries ?? [];
    for (const what of forget) forgotten.push(...(await forgetMeant(scope, what, { ...ports, request })));
    for (const what of expired) ended.push(...(await endMeant(scope, what, ports)));
    texts.push(heeded(input));
  }
  await storePlain();
  return { texts, forgotten, ended };
}

const heeded = ({ id = "" }: MemoryInput): StoreReceipt => ({
  id,
  status: "refused",
  reason: "It asks for something of the memory itself, which was done.",
  superseded: [],
  redacted: [],
});

async function forgetMeant(scope: Scope, what: string, ports: ObservePorts): Promise<ForgetReceipt[]> {
  const rows = await rowsMeant(scope, what, ports);
  return rows.length === 0 ? [] : [await forgetRows(scope, rows, ports)];
}

async function endMeant(scope: Scope, what: string, ports: ObservePorts): Promise<string[]> {
  const rows = (await rowsMeant(scope, what, ports)).filter(({ until }) => until === undefined);
  const now = ports.now();
  for (const row of rows) {
    const body = bodyOf(row);
    const facts = (body.facts ?? []).map((fact) =>
      fact.validUntil === undefined ? { ...fact, validUntil: iso(now) } : fact,
    );
    const ended: MemoryBody = { ...body, ...(body.facts === undefined ? {} : { facts }) };
    const amend = [{ id: row.id, until: now, keys: currentKeys(ended, row.speaker), body: JSON.stringify(ended) }];
    await ports.memories.write({ scope: row.scope, version: undefined, amend });
  }
  return rows.map((row) => bodyOf(row).id);
}

/** The memories that a description means: they have its words, and are not about much else. */
async function rowsMeant(scope: Scope, what: string, { memories }: ObservePorts): Promise<MemoryRow[]> {
  const terms = questionTerms(what);
  if (terms.length < FEWEST_WORDS) return [];
  const hits = await memories.search(scope, { terms, vectors: [], limit: CANDIDATES });
  const rows = await memories.get(
    scope,
    hits.map(({ id }) => id),
  );
  return rows.filter((row) => isMeant(bodyOf(row).content, terms));
}

function isMeant(content: string, terms: readonly string[]): boolean {
  const said = new Set(termsOf(content));
  const shared = terms.filter((term) => said.has(term)).length;
  return shared >= MEANT * terms.length && said.size <= LONGER * terms.length;
}
