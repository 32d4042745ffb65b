/**
 * How important exchanges are, by their structure alone: who speaks, how much is said that is not said all the time, whether
 * it comes up again, and what it answers. No rule knows a language.
 */
import { type Exchange, membersOf } from "../message/exchanges.js";
import type { Log } from "../message/log.js";
import type { Position } from "../message/positions.js";
import { type IdentifierIndex, readFrom } from "./identifier-index.js";
import { spokenIn, WordIndex, wordingOf, wordsIn } from "./word-index.js";
import { worthIn } from "./worth.js";

/** Why something matters, each from 0 to 1. */
export interface ImportanceParts {
  /** The chance that what it names is used again. */
  readonly names: number;
  /** What it says in words that are seldom used otherwise and come up again, by who says it. */
  readonly words: number;
  /** It puts a name in front of what it says: "Decision: …". */
  readonly label: number;
  /** What the question says that it answers shortly. */
  readonly reply: number;
}

export interface Importance {
  /** From 0 to 1. */
  readonly score: number;
  readonly parts: ImportanceParts;
}

/** How important an entry is to a strategy that keeps what matters, with its whole exchange. */
export interface EntryScore {
  readonly entry: string;
  /** From 0 to 1; 1 where it is pinned. */
  readonly score: number;
  /** What it is made of. */
  readonly parts: ImportanceParts;
  readonly pinned: boolean;
}

/** Identifiers of an exchange that count: its most likely ones. */
const BEST = 4;
/** What words may make of an exchange, by who says them. */
const SPEAKER = { user: 0.8, assistant: 0.6, calls: 0.2 };
/** Words that weigh so much make two thirds of it. */
const MANY_WORDS = 2;
/** What a word that nobody takes up is worth beside one that comes up again. */
const ONCE = 0.15;
const LABELLED = { user: 0.5, assistant: 0.5, calls: 0 };
/** Longer ones speak for themselves. */
const SHORT_REPLY = 120;

/** A line that begins with a few words and a colon. */
const LABEL = /^[ \t>*#•-]{0,8}\p{L}[\p{L}\p{M} ]{0,24}\*{0,2} ?[:：]\*{0,2} ?[^\s:：/]/mu;
const LABEL_REACH = 2_000;
const QUESTION = /[?？؟]\P{L}*$/u;
const QUESTION_REACH = 40;
const NOTHING: Importance = { score: 0, parts: { names: 0, words: 0, label: 0, reply: 0 } };

interface Said {
  readonly at: Position;
  readonly words: readonly string[];
}

/** What of an exchange does not change; found once, and again where a late result has joined it. */
interface Facts {
  readonly members: number;
  readonly identifiers: readonly string[];
  readonly said: Said;
  readonly labelled: boolean;
  /** The question that it answers in few words. */
  readonly question: Said | undefined;
}

type Speaker = keyof typeof SPEAKER;
const isSpeaker = (kind: Exchange["kind"]): kind is Speaker => kind in SPEAKER;

/** Tells how important exchanges are. Each is read once, and only those that are asked for. */
export class ImportanceIndex {
  readonly #log: Log;
  readonly #identifiers: IdentifierIndex;
  readonly #words: WordIndex;
  readonly #facts = new WeakMap<Exchange, Facts>();
  #latest: { readonly now: Position; readonly of: (exchange: Exchange) => Importance } | undefined;

  constructor(log: Log, identifiers: IdentifierIndex) {
    this.#log = log;
    this.#identifiers = identifiers;
    this.#words = new WordIndex(Math.max(log.start, readFrom(log.entries.length)));
  }

  /** How important exchanges are as the log is now. */
  now(): (exchange: Exchange) => Importance {
    const now = this.#log.entries.length;
    if (this.#latest?.now === now) return this.#latest.of;
    this.#identifiers.readTo(now, this.#log);
    this.#words.readTo(now, this.#log);
    const chanceOf = worthIn({ index: this.#identifiers, now });
    const known = new Map<Exchange, Importance>();
    const of = (exchange: Exchange): Importance => {
      const found = known.get(exchange) ?? this.#importanceOf(exchange, chanceOf);
      known.set(exchange, found);
      return found;
    };
    this.#latest = { now, of };
    return of;
  }

  #importanceOf(exchange: Exchange, chanceOf: (identifier: string) => number): Importance {
    const { kind } = exchange;
    if (!isSpeaker(kind)) return NOTHING;
    const { identifiers, said, labelled, question } = this.#factsOf(exchange);
    const parts = {
      names: chanceOfAny(identifiers, chanceOf),
      words: this.#weight(said) * SPEAKER[kind],
      label: labelled ? LABELLED[kind] : 0,
      reply: question === undefined ? 0 : this.#weight(question) * SPEAKER[kind],
    };
    return { score: scoreOf(parts), parts };
  }

  /** What an exchange names. */
  identifiersOf(exchange: Exchange): readonly string[] {
    return this.#factsOf(exchange).identifiers;
  }

  /** How much is said, from 0 to 1. */
  #weight({ at, words }: Said): number {
    const all = Math.log2(2 + this.#words.messages);
    // The same said again takes up nothing.
    const { messages: copies } = this.#words.record(wordingOf(words));
    let weight = 0;
    for (const word of words) {
      const { messages, last } = this.#words.record(word);
      const rarity = 1 - Math.log2(1 + messages) / all;
      weight += Math.max(0, rarity) * (last > at && messages > copies ? 1 : ONCE);
    }
    return 1 - Math.exp(-weight / MANY_WORDS);
  }

  #factsOf(exchange: Exchange): Facts {
    const { first: at, end, kind, scattered = [] } = exchange;
    const members = end - at + scattered.length;
    const known = this.#facts.get(exchange);
    if (known?.members === members) return known;
    const text = spokenIn(this.#log.messageAt(at));
    const mentions = membersOf(exchange).flatMap((each) => [...this.#identifiers.mentionsAt(each, this.#log)]);
    const facts = {
      members,
      identifiers: [...new Set(mentions.flatMap(({ identifiers }) => identifiers))],
      said: { at, words: [...wordsIn(text)] },
      labelled: LABEL.test(text.slice(0, LABEL_REACH)),
      question: kind === "user" && text.length <= SHORT_REPLY ? this.#questionBefore(at) : undefined,
    };
    this.#facts.set(exchange, facts);
    return facts;
  }

  #questionBefore(position: Position): Said | undefined {
    const at = position - 1;
    const message = at < this.#log.start ? undefined : this.#log.messageAt(at);
    const text = message?.role === "assistant" ? spokenIn(message) : "";
    return QUESTION.test(text.slice(-QUESTION_REACH)) ? { at, words: [...wordsIn(text)] } : undefined;
  }
}

/** Each part counts for what the others leave of it. */
export const scoreOf = ({ names, words, label, reply }: ImportanceParts): number =>
  1 - (1 - names) * (1 - Math.max(words, reply)) * (1 - label);

/** The chance that one of the most likely identifiers is used again. */
function chanceOfAny(identifiers: readonly string[], chanceOf: (identifier: string) => number): number {
  const best: number[] = [];
  for (const identifier of identifiers) {
    const chance = chanceOf(identifier);
    if (best.length === BEST && chance <= best[BEST - 1]!) continue;
    best.push(chance);
    best.sort((a, b) => b - a);
    best.length = Math.min(best.length, BEST);
  }
  return 1 - best.reduce((unused, chance) => unused * (1 - chance), 1);
}
