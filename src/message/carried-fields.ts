import { freezeValue } from "./plain-value.js";
import type { JSONValue, ProviderOptions } from "./types.js";

/** Fields that a wire format held and the canonical message has no place for. */
export type Fields = { [key: string]: JSONValue | undefined };

/**
 * What stands under `providerOptions.varve`: the fields by the name of their format. They are private, and frozen when
 * somebody asks for them, so a log may keep them as they are. A class with accessors and not an object with fields,
 * since freezing what most messages carry and nobody reads is felt when a long history is opened.
 */
export class CarriedFields {
  readonly #format: string;
  readonly #fields: Fields;

  constructor(format: string, fields: Fields) {
    this.#format = format;
    this.#fields = fields;
  }

  static is(value: unknown): value is CarriedFields {
    return typeof value === "object" && value !== null && #fields in value;
  }

  of(format: string): Fields | undefined {
    return format === this.#format ? freezeValue(this.#fields) : undefined;
  }

  /** Whether there is a field of another name than these. */
  hasOther(names: ReadonlySet<string>): boolean {
    for (const name in this.#fields) if (!names.has(name)) return true;
    return false;
  }

  /** The fields as plain data. */
  toJSON(): Record<string, Fields> {
    return { [this.#format]: freezeValue(this.#fields) };
  }
}

/** Provider options that hold carried fields and nothing else. */
export const carriedOptions = (carried: CarriedFields): ProviderOptions => ({ varve: carried as unknown as Fields });
