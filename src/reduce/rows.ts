import { fitLine, lineCap } from "./fit-line.js";
import { fitPair } from "./fit-pair.js";
import { HEAD_MARK_FROM, headMark, placeMark, rowMark } from "./marks.js";
import type { CountTokens } from "./measure.js";
import { shareRoom } from "./share-room.js";
import { shortenText } from "./shorten-text.js";

/**
 * A digest of kinds shows one line for many alike: its number, how many it stands for, and its text. It suits texts
 * whose lines repeat a few forms, where an excerpt would show one form over and over.
 */
export interface Row {
  /** Number of the line in the source, from 1. */
  readonly line: number;
  readonly count: number;
  readonly text: string;
  /** The text with all that belongs to it; shown instead where there is room. */
  readonly whole?: string;
  /** Another line that is shown where this one is, and not without it: in a diff, the one that replaces it. */
  readonly partner?: { readonly line: number; readonly text: string };
  /** Where the text stands in the file that the source speaks of, counted in lines. */
  readonly place?: number;
  /** Must not be cut, if it is of a sane length. */
  readonly essential?: boolean;
  /** How much room the row is worth; twice the weight may cost twice the tokens. */
  readonly weight: number;
  /** Rows of one family say nearly the same: the first is worth more than the others. */
  readonly family: number;
}

export interface RowsRequest {
  readonly rows: readonly Row[];
  /** Rows that a small share of the room is kept for, the best first. */
  readonly odd?: readonly Row[];
  /** Rows for the room that is left when all others are shown whole, the best first; the first that is too long ends them. */
  readonly fillers?: readonly Row[];
  readonly kind: string;
  readonly facts: readonly string[];
  readonly maxTokens: number;
  readonly count: CountTokens;
}

const MISSES = 24;
const SMALLEST_ROW = 6;
const ROW_SHARE = 0.08;
/** How much dearer each further row of a family is than the first. */
const REPEATED = 4;
/** Tokens beyond which a row may be cut whatever it says. */
const SANE_LENGTH = 160;
const ESSENTIAL_ROW_SHARE = 0.4;
const ESSENTIAL_SHARE = 0.33;
const LONGEST_TOKEN = 16;
const ODD_SHARE = 0.03;

export interface RowsDigest {
  readonly text: string;
  readonly rows: number;
}

export function digestRows(request: RowsRequest): RowsDigest {
  const { kind, facts, maxTokens, count } = request;
  const head = maxTokens >= HEAD_MARK_FROM ? headMark(kind, ...facts) : headMark(kind);
  const choice = chooseRows(request, count(head));
  for (;;) {
    const rows = [...choice.chosen].flatMap(({ shown }) => shown).sort((a, b) => a.line - b.line);
    const text = [head, ...rows.map((row) => row.text)].join("\n");
    const over = count(text) - maxTokens;
    if (over <= 0) return { text, rows: rows.length };
    if (rows.length === 0) return { text: shortenText(text, { maxTokens, counter: count }), rows: 0 };
    takeBack(choice, over);
  }
}

/** The sum of the parts is an estimate of the whole: where it was too low, what was done last is undone first. */
function takeBack({ steps, chosen }: Choice, tokens: number): void {
  for (let freed = 0; freed < tokens && chosen.size > 0; ) {
    const { entry, before } = steps.pop()!;
    freed += entry.cost - (before?.cost ?? 0);
    if (before === undefined) chosen.delete(entry);
    else Object.assign(entry, before);
  }
}

/** The lines that are shown for a row, and their tokens. */
interface FittedRow {
  shown: readonly { readonly line: number; readonly text: string }[];
  cost: number;
}

interface ChosenRow extends FittedRow {
  readonly row: Row;
}

/** A row that was added or, with what it was before, changed. */
interface Step {
  readonly entry: ChosenRow;
  readonly before?: Readonly<FittedRow>;
}

interface Choice {
  readonly maxTokens: number;
  readonly count: CountTokens;
  readonly chosen: Set<ChosenRow>;
  readonly steps: Step[];
  used: number;
}

function chooseRows({ rows, odd = [], fillers = [], maxTokens, count }: RowsRequest, headCost: number): Choice {
  const choice: Choice = { maxTokens, count, chosen: new Set(), steps: [], used: headCost };
  addRows(choice, fewEssentials(rows, choice));
  const families = addOddRows(choice, unseen(odd, choice));
  addRows(choice, unseen(byWorth(rows, families, choice), choice));
  completeRows(choice);
  unseen(fillers, choice).every((row) => addRow(choice, row, false));
  widenRows(choice);
  return choice;
}

/** Adds the first odd rows; returns their families. */
function addOddRows(choice: Choice, rows: readonly Row[]): Set<number> {
  const families = new Set<number>();
  const limit = choice.used + choice.maxTokens * ODD_SHARE;
  for (const row of rows) {
    if (choice.used >= limit || !addRow(choice, row, false)) break;
    families.add(row.family);
  }
  return families;
}

/** Where essential rows are few they come first, with all that belongs to them. */
function fewEssentials(rows: readonly Row[], { maxTokens, count }: Choice): readonly Row[] {
  const essential = rows.filter((row) => row.essential).map((row) => ({ ...row, text: row.whole ?? row.text }));
  const characters = essential.reduce((sum, row) => sum + rowLength(row), 0);
  if (characters > maxTokens * LONGEST_TOKEN) return [];
  const cost = essential.reduce((sum, row) => sum + Math.min(count(allText(row)), essentialCap(maxTokens)), 0);
  return cost > maxTokens * ESSENTIAL_SHARE ? [] : essential;
}

function addRows(choice: Choice, rows: readonly Row[]): void {
  let misses = 0;
  for (const row of rows) {
    if (misses > MISSES || choice.maxTokens - choice.used < SMALLEST_ROW) return;
    if (!addRow(choice, row)) misses++;
  }
}

/** Adds a row if it fits; an essential one may be long or, where `mayCut`, is cut if it fits only so. */
function addRow(choice: Choice, row: Row, mayCut = true): boolean {
  const { maxTokens, count } = choice;
  const usual = lineCap(maxTokens, ROW_SHARE);
  const caps = row.essential ? [essentialCap(maxTokens), ...(mayCut ? [usual] : [])] : [usual];
  for (const cap of caps) {
    const fitted = fitRow(row, { maxTokens: cap, counter: count });
    if (choice.used + fitted.cost > maxTokens) continue;
    choice.used += fitted.cost;
    const entry = { row, ...fitted };
    choice.chosen.add(entry);
    choice.steps.push({ entry });
    return true;
  }
  return false;
}

function essentialCap(maxTokens: number): number {
  return Math.max(lineCap(maxTokens, ROW_SHARE), Math.min(SANE_LENGTH, Math.floor(maxTokens * ESSENTIAL_ROW_SHARE)));
}

function fitRow(row: Row, cap: { maxTokens: number; counter: CountTokens }): FittedRow {
  const { line, text, partner } = row;
  if (partner === undefined) {
    const fitted = fitLine(markOf(row) + text, { ...cap, headShare: 1, bare: true });
    return { shown: [{ line, text: fitted.text }], cost: fitted.cost };
  }
  const marks = [markOf(row), rowMark(partner.line, 1)] as const;
  const [first, second] = fitPair({ marks, texts: [text, partner.text] }, cap);
  const shown = [
    { line, text: first.text },
    { line: partner.line, text: second.text },
  ];
  return { shown, cost: first.cost + second.cost };
}

function markOf({ line, count, place }: Row): string {
  return rowMark(line, count) + (place === undefined ? "" : placeMark(place));
}

/** A row as it is where nothing is cut. */
function wholeRow(row: Row): FittedRow["shown"] {
  const { line, partner } = row;
  const first = { line, text: markOf(row) + (row.whole ?? row.text) };
  return partner === undefined
    ? [first]
    : [first, { line: partner.line, text: rowMark(partner.line, 1) + partner.text }];
}

/** Gives the rows that were cut, and those without their prefix, what is missing, the essential ones first. */
function completeRows(choice: Choice): void {
  const { chosen, maxTokens, count } = choice;
  for (const entry of [...chosen].sort((a, b) => rank(b.row) - rank(a.row))) {
    const room = Math.min(SANE_LENGTH, maxTokens - choice.used + entry.cost);
    const whole = wholeRow(entry.row);
    const text = joined(whole);
    if (text === joined(entry.shown) || text.length > room * LONGEST_TOKEN) continue;
    const cost = count(text) + 1;
    if (cost <= room) change(choice, entry, { shown: whole, cost });
  }
}

function change(choice: Choice, entry: ChosenRow, fitted: FittedRow): void {
  choice.used += fitted.cost - entry.cost;
  choice.steps.push({ entry, before: { shown: entry.shown, cost: entry.cost } });
  Object.assign(entry, fitted);
}

/** Gives what room is left to the rows that are still cut. */
function widenRows(choice: Choice): void {
  const { chosen, maxTokens, count } = choice;
  const cut = [...chosen]
    .map((entry) => ({ entry, cost: entry.cost, length: rowLength(entry.row) }))
    .filter(({ entry }) => joined(entry.shown) !== joined(wholeRow(entry.row)));
  shareRoom(cut, maxTokens - choice.used, ({ entry }, tokens) => {
    const fitted = fitRow(entry.row, { maxTokens: tokens - 1, counter: count });
    if (fitted.cost > entry.cost && fitted.cost <= tokens) change(choice, entry, fitted);
    return entry.cost;
  });
}

function joined(shown: FittedRow["shown"]): string {
  return shown.map(({ text }) => text).join("\n");
}

function rank({ essential = false }: Row): number {
  return essential ? 1 : 0;
}

function unseen(rows: readonly Row[], { chosen }: Choice): readonly Row[] {
  const seen = new Set([...chosen].map(({ row }) => row.line));
  return rows.filter(({ line }) => !seen.has(line));
}

/**
 * Cheap rows first, since one kind kept is worth as much as another; weight and family correct that, with the
 * families that are shown already. More rows than tokens are not counted: the longer of them would not fit.
 */
function byWorth(rows: readonly Row[], families: ReadonlySet<number>, { maxTokens, count }: Choice): Row[] {
  const roughly = (row: Row) => (rowLength(row) + ROW_OVERHEAD) / CHARACTERS_PER_TOKEN;
  const exactly = (row: Row) => (rowLength(row) > LONG ? roughly(row) : count(markOf(row) + allText(row)) + 1);
  const shortest = cheapestFirst(rows.map((row) => ({ row, price: roughly(row) / row.weight }))).slice(0, maxTokens);
  const priced = shortest.map(({ row }) => ({ row, price: exactly(row) / row.weight }));
  const seen = new Set(families);
  const ranked = cheapestFirst(priced).map(({ row, price }) => {
    const isFirst = !seen.has(row.family);
    seen.add(row.family);
    return { row, price: isFirst ? price : price * REPEATED };
  });
  return cheapestFirst(ranked).map(({ row }) => row);
}

const ROW_OVERHEAD = 12;
const CHARACTERS_PER_TOKEN = 4;
/** Of longer rows the tokens are not counted. */
const LONG = 400;

interface PricedRow {
  readonly row: Row;
  readonly price: number;
}

function cheapestFirst(rows: readonly PricedRow[]): PricedRow[] {
  return rows.toSorted((a, b) => a.price - b.price || a.row.line - b.row.line);
}

function rowLength({ text, partner }: Row): number {
  return text.length + (partner?.text.length ?? 0);
}

function allText({ text, partner }: Row): string {
  return partner === undefined ? text : `${text}\n${partner.text}`;
}
