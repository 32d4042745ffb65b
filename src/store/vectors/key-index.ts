const LEAST_PLACES = 16;
const EMPTY = -1;

/**
 * From keys to slots, in about twelve bytes a key where a `Map` takes some sixty. The keys themselves stand in the rows:
 * each slot in here has its key there, as long as the index is asked. At least half of the places are empty, and every
 * place from a key's first to its own is taken.
 */
export class KeyIndex {
  readonly #keyAt: (slot: number) => number;
  #places = new Int32Array(LEAST_PLACES).fill(EMPTY);
  #size = 0;

  constructor(keyAt: (slot: number) => number) {
    this.#keyAt = keyAt;
  }

  get bytes(): number {
    return this.#places.byteLength;
  }

  get(key: number): number | undefined {
    const slot = this.#places[this.#find(key)]!;
    return slot === EMPTY ? undefined : slot;
  }

  set(key: number, slot: number): void {
    const place = this.#find(key);
    const added = this.#places[place] === EMPTY;
    this.#places[place] = slot;
    if (added && ++this.#size * 2 > this.#places.length) this.#resize(this.#places.length * 2);
  }

  delete(key: number): void {
    const place = this.#find(key);
    if (this.#places[place] === EMPTY) return;
    this.#places[place] = EMPTY;
    this.#close(place);
    if (--this.#size * 8 < this.#places.length) this.#resize(Math.max(this.#places.length / 2, LEAST_PLACES));
  }

  /** The place of the key, or the empty one where it would be. */
  #find(key: number): number {
    let place = this.#firstPlace(key);
    for (;;) {
      const slot = this.#places[place]!;
      if (slot === EMPTY || this.#keyAt(slot) === key) return place;
      place = this.#after(place);
    }
  }

  /** Puts all that follow a gap where they are found again. */
  #close(gap: number): void {
    for (let place = this.#after(gap); this.#places[place] !== EMPTY; place = this.#after(place)) {
      const slot = this.#places[place]!;
      this.#places[place] = EMPTY;
      this.#places[this.#find(this.#keyAt(slot))] = slot;
    }
  }

  #resize(places: number): void {
    if (places === this.#places.length) return;
    const slots = this.#places.filter((slot) => slot !== EMPTY);
    this.#places = new Int32Array(places).fill(EMPTY);
    for (const slot of slots) this.#places[this.#find(this.#keyAt(slot))] = slot;
  }

  #after(place: number): number {
    return (place + 1) & (this.#places.length - 1);
  }

  /** Neighbouring keys go to places far apart; the upper half of a large key counts too. */
  #firstPlace(key: number): number {
    const mixed = Math.imul(key ^ Math.imul(Math.floor(key / 2 ** 32), 0x85ebca6b), 0x9e3779b1);
    return (mixed ^ (mixed >>> 15)) & (this.#places.length - 1);
  }
}
