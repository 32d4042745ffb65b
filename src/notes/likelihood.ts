import type { IdentifierRecord } from "./identifier-index.js";
import { type IdentifierKind, identifierKind } from "./identifiers.js";
import weights from "./likelihood-weights.json" with { type: "json" };

/**
 * How likely an agent is to use an identifier again in a call: a logistic model over what is known of it. The weights
 * are learnt from recordings by scripts/learn-likelihood.mjs, which writes them with its held-out score.
 */
export function likelihood(text: string, record: IdentifierRecord, now: number): number {
  const values = features(text, record, now);
  let sum = weights.bias;
  for (const [at, name] of FEATURES.entries()) sum += (weights.weights[name] ?? 0) * values[at]!;
  return 1 / (1 + Math.exp(-sum));
}

const KINDS: readonly IdentifierKind[] = [
  "path",
  "file",
  "url",
  "id",
  "number",
  "version",
  "date",
  "constant",
  "symbol",
  "flag",
];

/** Ordinary words joined by a slash or hyphens: "multi-provider", "read/write". Some are names all the same. */
const PLAIN_WORDS = /^[A-Za-z][a-z]+([/-][A-Za-z]?[a-z]+)+$/;

type FeatureName = keyof typeof weights.weights;

/**
 * What the model looks at, in order; the script that learns the weights reads it.
 *
 * @public
 */
export const FEATURES = [
  "calls",
  "called",
  "argument",
  "arguments",
  "sinceCall",
  "nearCall",
  "user",
  "agent",
  "results",
  "onlyResults",
  "since",
  "near",
  "messages",
  "age",
  "length",
  "depth",
  "plainWords",
  ...KINDS.map((kind) => `is ${kind}` as const),
] as readonly FeatureName[];

/**
 * The values of the features for an identifier, as seen from a position of the log.
 *
 * @public
 */
export function features(text: string, record: IdentifierRecord, now: number): number[] {
  const kind = identifierKind(text);
  const called = record.lastCall >= 0;
  return [
    Math.log2(1 + record.call),
    called ? 1 : 0,
    record.argument > 0 ? 1 : 0,
    Math.log2(1 + record.argument),
    called ? Math.log2(1 + now - record.lastCall) : 0,
    called ? 1 / (1 + (now - record.lastCall) / 20) : 0,
    record.user > 0 ? 1 : 0,
    record.agent > 0 ? 1 : 0,
    Math.log2(1 + record.result),
    record.result > 0 && !called && record.user === 0 && record.agent === 0 ? 1 : 0,
    Math.log2(1 + now - record.last),
    1 / (1 + (now - record.last) / 20),
    Math.log2(1 + record.messages),
    Math.log2(1 + now - record.first),
    Math.min(3, text.length / 20),
    Math.min(6, text.split("/").length - 1),
    PLAIN_WORDS.test(text) ? 1 : 0,
    ...KINDS.map((each) => (kind === each ? 1 : 0)),
  ];
}
