import { VarveError } from "../../errors.js";
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

  /** What others go by as it is, so that nothing in it can be masked. What a session gave its name to is known by that. */
  id(id: string, sessions: readonly string[] = []): string {
    const [secret] = this.#allowed || sessions.some((session) => id.startsWith(`${session}:`)) ? [] : findSecrets(id);
    if (secret === undefined) return id;
    throw new VarveError({
      code: "invalid-option",
      message: `The option id holds a secret: ${secret.kind}.`,
      hint: "Give id as a name that everybody may read.",
      details: { option: "id", kind: secret.kind },
    });
  }

  thread(thread: string, sessions: readonly string[] = []): string {
    return sessions.includes(thread) ? thread : this.text(thread);
  }

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
