import { findSecrets, redact } from "./secrets.js";

/** Takes secrets out of all that is kept with a memory, and notes of which kinds they were. */
export class Mask {
  readonly kinds = new Set<string>();
  readonly #allowed: boolean;

  constructor(allowed: boolean) {
    this.#allowed = allowed;
  }

  readonly text = (text: string): string => {
    const secrets = this.#allowed ? [] : findSecrets(text);
    for (const { kind } of secrets) this.kinds.add(kind);
    return secrets.length === 0 ? text : redact(text, secrets);
  };

  /** A value under a name like "password" is judged together with its name. */
  fields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, this.#value(value, name)]));
  }

  #value(value: unknown, name: string): unknown {
    if (typeof value === "string") return this.#named(value, name);
    if (Array.isArray(value)) return value.map((item) => this.#value(item, name));
    return isRecord(value) ? this.fields(value) : value;
  }

  #named(value: string, name: string): string {
    const masked = this.text(value);
    const lead = `${name}: `;
    const whole = masked === value ? this.text(lead + value) : lead + masked;
    return whole.startsWith(lead) ? whole.slice(lead.length) : masked;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
