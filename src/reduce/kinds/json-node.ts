export type JsonNode = JsonScalar | JsonContainer;

export interface JsonScalar {
  readonly type: "string" | "literal";
  readonly start: number;
  readonly end: number;
  /** Tells of a failure, by a word such as "error" for its value. */
  readonly grave: boolean;
}

export interface JsonContainer {
  readonly type: "array" | "object";
  /** Children in the source, kept or not. */
  readonly count: number;
  readonly children: readonly JsonChild[];
  readonly grave: boolean;
  /** Hash of an object's keys; the same for all arrays. */
  readonly shape: number;
}

export interface JsonChild {
  readonly index: number;
  /** The key with its quotes, in an object. */
  readonly key: string | undefined;
  readonly node: JsonNode;
  /** First of its shape among its siblings, or tells of a failure: worth showing for itself. */
  readonly notable: boolean;
  /** How much it differs from its siblings in what it holds, in bits; 0 in short lists and in records. */
  readonly oddity: number;
}
