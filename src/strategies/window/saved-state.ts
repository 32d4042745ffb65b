/**
 * States of a window's viewer as plain data and back, in another process too. With a state go the forms in which the
 * exchanges of its tail were shown, since these may have been made by another count, and what was counted: with them
 * the view is the same to the byte, and so is what follows it.
 */
import type { Form } from "../../compaction/shown.js";
import type { Log } from "../../message/log.js";
import { stateFromJSON, stateToJSON } from "../../message/value-json.js";
import type { PastState } from "./past.js";
import type { WholeRequests } from "./scene.js";

interface State {
  readonly cut: number;
  readonly whole: WholeRequests;
  readonly past: PastState;
  readonly account: { readonly kept: ReadonlyMap<number, number> } | undefined;
}

interface Forms {
  readonly exchanges: Map<number, Form>;
  readonly requests: Map<number, Form>;
}

interface Saved {
  readonly state: unknown;
  /** Tokens of the entries from the cut on, as far as they were counted. */
  readonly tokens: readonly (number | null)[];
  readonly exchanges: SavedForms;
  readonly requests: SavedForms;
}

interface SavedForms {
  readonly shortened: ReadonlyMap<number, Form>;
  /** Revisions of those that were shown as they are, by position. */
  readonly whole: ReadonlyMap<number, number>;
}

export function saveState(state: unknown, log: Log, forms: Forms): unknown {
  const { cut, account } = state as State;
  const isShown = (position: number) => position >= cut || account?.kept.has(position) === true;
  const saved: Saved = {
    state,
    tokens: log.entries.slice(cut).map(({ tokens }) => tokens ?? null),
    exchanges: saveForms(forms.exchanges, isShown),
    requests: saveForms(forms.requests, isShown),
  };
  return stateToJSON(saved);
}

function saveForms(forms: ReadonlyMap<number, Form>, isShown: (position: number) => boolean): SavedForms {
  const shown = [...forms].filter(([position]) => isShown(position));
  return {
    shortened: new Map(shown.filter(([, form]) => form.shortened.length > 0)),
    whole: new Map(shown.flatMap(([at, form]) => (form.shortened.length === 0 ? [[at, form.revision]] : []))),
  };
}

/** The state again; the forms that belong to it are added to those known. */
export function loadState(value: unknown, log: Log, forms: Forms): unknown {
  const saved = stateFromJSON(value) as Saved;
  const { cut } = saved.state as State;
  for (const [at, tokens] of saved.tokens.entries()) {
    const entry = log.entries[cut + at];
    if (entry !== undefined && tokens !== null) entry.tokens ??= tokens;
  }
  loadForms(saved.exchanges, log, forms.exchanges);
  loadForms(saved.requests, log, forms.requests);
  return saved.state;
}

/** Only of exchanges that are still the same: on another branch their positions are other entries. */
function loadForms({ shortened, whole }: SavedForms, log: Log, forms: Map<number, Form>): void {
  for (const [position, form] of [...shortened, ...whole]) {
    const revision = typeof form === "number" ? form : form.revision;
    log.reach(position);
    const exchange = log.exchangeFrom(position);
    const found = log.exchanges[exchange];
    if (found?.first !== position || found.revision !== revision) continue;
    forms.set(position, typeof form === "number" ? { revision, messages: log.legal(exchange), shortened: [] } : form);
  }
}

/** Whether later views could tell one state from the other. What they are accounted against comes with receipts. */
export function statesDiffer(before: unknown, after: unknown): boolean {
  const { whole, past, account: _account, ...rest } = before as State & Record<string, unknown>;
  const now = after as State & Record<string, unknown>;
  if (past.memory !== now.past.memory || !sameRequests(whole, now.whole)) return true;
  return Object.entries(rest).some(([name, value]) => now[name] !== value);
}

const sameRequests = (one: WholeRequests, other: WholeRequests): boolean =>
  one.cut === other.cut &&
  one.requests.size === other.requests.size &&
  [...one.requests].every((position) => other.requests.has(position));
