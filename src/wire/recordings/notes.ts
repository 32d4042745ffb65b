import type { RecordingWarning, RecordingWarningKind } from "./recording.js";

/** Kinds named one by one; the others share a warning, so that odd input does not make a list without end. */
const NAMED = 20;

/** The warnings of one reading. What happens often is counted under its name and said once. */
export class Notes {
  readonly #single: RecordingWarning[] = [];
  readonly #counted = new Map<string, { kind: RecordingWarningKind; say: (count: number) => string; count: number }>();
  readonly #unknown = new Map<string, number>();

  add(kind: RecordingWarningKind, message: string, line?: number): void {
    this.#single.push(line === undefined ? { kind, message } : { kind, message, line });
  }

  count(kind: RecordingWarningKind, say: (count: number) => string, count = 1): void {
    const name = `${kind} ${say(0)}`;
    const known = this.#counted.get(name);
    if (known === undefined) this.#counted.set(name, { kind, say, count });
    else known.count += count;
  }

  /** Something of a kind that the reader does not know, and so left out. */
  unknown(name: unknown): void {
    const key = typeof name === "string" ? JSON.stringify(name.slice(0, 40)) : "none";
    const place = this.#unknown.has(key) || this.#unknown.size < NAMED ? key : "others";
    this.#unknown.set(place, (this.#unknown.get(place) ?? 0) + 1);
  }

  list(): RecordingWarning[] {
    const unknown = [...this.#unknown].map(([name, count]): RecordingWarning => {
      const what = name === "others" ? "of other unknown kinds" : `of the unknown kind ${name}`;
      return { kind: "unknown-kind", message: `${count} ${count === 1 ? "item" : "items"} ${what} left out.`, count };
    });
    const counted = [...this.#counted.values()].map(
      ({ kind, say, count }): RecordingWarning => ({ kind, message: say(count), count }),
    );
    return [...this.#single, ...counted, ...unknown];
  }
}
