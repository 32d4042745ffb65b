/** Arbitraries and checks that all formats share. */
import fc from "fast-check";
import { expect } from "vitest";
import { runs } from "../../test/support/runs.js";
import { VarveError } from "../errors.js";
import { packMessage } from "../message/packed-message.js";
import type { Message } from "../message/types.js";
import type { Fault } from "./legality/violation.js";

export const text = fc.string({ maxLength: 12 });
export const someText = fc.string({ minLength: 1, maxLength: 12 });
export const spokenText = someText.filter((value) => value.trim() !== "");
export const name = fc.stringMatching(/^[a-z_]{1,8}$/);
export const id = fc.stringMatching(/^[a-z]{2}_[a-zA-Z0-9]{1,4}$/);
export const base64 = fc.stringMatching(/^[A-Za-z0-9+/]{4,12}$/);
export const url = fc.constantFrom("https://a.example/b.png", "https://a.example/b?c=d#e", "http://x.example/file.pdf");
const json = fc.jsonValue({ maxDepth: 2 });
export const object = fc.dictionary(name, json, { maxKeys: 3 });
export const mediaType = fc.constantFrom("image/png", "image/jpeg", "application/pdf", "text/plain", "audio/wav");

/** Arguments as models write them: mostly JSON, sometimes with odd spacing, sometimes cut off. */
export const argumentsText = fc.oneof(
  object.map((value) => JSON.stringify(value)),
  object.map((value) => JSON.stringify(value, null, 2)),
  fc.constantFrom("", "{", '{"path": "a', "null", "  "),
);

const unknown = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,3}$/), json, { minKeys: 1, maxKeys: 2 });

/** The same objects, some of them with fields that no documentation names. */
export const withUnknown = <T extends object>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.tuple(arbitrary, fc.option(unknown, { nil: {}, freq: 3 })).map(([value, extra]) => ({ ...value, ...extra }));

/** An object that may lack any field but the required ones. */
export const partial = (model: Record<string, fc.Arbitrary<unknown>>, required: string[]): fc.Arbitrary<object> =>
  withUnknown(fc.record(model, { requiredKeys: required }));

/** A part of a type that no documentation names. */
export const unknownPart = fc
  .tuple(fc.constantFrom("video_url", "hologram"), object)
  .map(([type, rest]) => ({ ...rest, type }));

/** What of it a provider takes, as far as its encoder would mend it: what is mended is not given back. */
export const unmended = <Wire extends object>(
  wires: fc.Arbitrary<Wire>,
  faults: (wire: Wire) => readonly Fault[],
  mended: readonly string[],
): fc.Arbitrary<Wire> => wires.filter((wire) => !faults(wire).some(({ rule }) => mended.includes(rule)));

export interface Codec<Wire> {
  decode(wire: Wire): Message[];
  encode(messages: readonly Message[]): unknown;
}

export function givesBack<Wire>({ decode, encode }: Codec<Wire>, arbitrary: fc.Arbitrary<Wire>): void {
  fc.assert(
    fc.property(arbitrary, (wire) => {
      expect(encode(decode(wire))).toEqual(wire);
    }),
  );
}

export function readsTheSameAgain<Wire>({ decode, encode }: Codec<Wire>, arbitrary: fc.Arbitrary<Wire>): void {
  fc.assert(
    fc.property(arbitrary, (wire) => {
      const messages = decode(wire);
      expect(decode(encode(messages) as Wire)).toEqual(messages);
    }),
  );
}

/** Whatever the input, writing and reading it once makes it normal: doing so again changes nothing. */
export function settlesAtOnce<Wire>({ decode, encode }: Codec<Wire>, arbitrary: fc.Arbitrary<Wire>): void {
  fc.assert(
    fc.property(arbitrary, (wire) => {
      const normal = encode(decode(wire));
      expect(encode(decode(normal as Wire))).toEqual(normal);
    }),
  );
}

export function leavesInputAlone<Wire>({ decode }: Codec<Wire>, arbitrary: fc.Arbitrary<Wire>): void {
  fc.assert(
    fc.property(arbitrary, (wire) => {
      decode(deepFreeze(wire));
    }),
  );
}

/** No change of the input afterwards may reach a message. */
export function sharesNothing<Wire>({ decode }: Codec<Wire>, arbitrary: fc.Arbitrary<Wire>): void {
  fc.assert(
    fc.property(arbitrary, (wire) => {
      const messages = decode(wire);
      const before = JSON.stringify(messages);
      scribble(wire);
      expect(JSON.stringify(messages)).toBe(before);
    }),
  );
}

/** No change of what is sent may reach a message, and none is refused. */
export function handsOutCopies<Wire>({ decode, encode }: Codec<Wire>, arbitrary: fc.Arbitrary<Wire>): void {
  fc.assert(
    fc.property(arbitrary, (wire) => {
      const messages = decode(wire);
      const before = JSON.stringify(messages);
      const sent = encode(messages);
      expect(objectsIn(sent, true)).toEqual([]);
      scribble(sent);
      expect(JSON.stringify(messages)).toBe(before);
    }),
  );
}

/** What a log keeps of a message says all that the message said, is frozen throughout, and stays as it was. */
export function isKeptForGood<Wire>({ decode, encode }: Codec<Wire>, arbitrary: fc.Arbitrary<Wire>): void {
  fc.assert(
    fc.property(arbitrary, (wire) => {
      const messages = decode(wire);
      const sent = JSON.stringify(encode(messages));
      const packed = messages.map(packMessage);
      scribble(messages);
      const kept = packed.map((message) => message.whole().message);
      expect(JSON.stringify(encode(kept))).toBe(sent);
      for (const message of kept) expect(objectsIn(message, false)).toEqual([]);
    }),
  );
}

/** The objects in a value that are frozen, or are not. */
function objectsIn(value: unknown, frozen: boolean): object[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap((field) => objectsIn(field, frozen));
  return Object.isFrozen(value) === frozen ? [value, ...inner] : inner;
}

/** What is decoded at all can be encoded, whatever it was. */
export function decodesOrRefuses({ decode, encode }: Codec<unknown>, arbitrary: fc.Arbitrary<unknown>): void {
  fc.assert(
    fc.property(arbitrary, (wire) => {
      let messages: Message[] = [];
      try {
        messages = decode(wire);
      } catch (error) {
        if (!VarveError.isInstance(error)) throw error;
        expect(error.code).toBe("invalid-message");
        expect(error.hint).toBeTruthy();
      }
      encode(messages);
    }),
    { numRuns: runs(200) },
  );
}

/** Objects that look like messages, with anything at all in their fields. */
export const junkMessages = (roles: string[], fields: string[]): fc.Arbitrary<unknown> => {
  const anything = fc.oneof(
    fc.anything({ maxDepth: 2 }),
    text,
    fc.array(fc.dictionary(fc.constantFrom(...fields), json)),
  );
  const model = Object.fromEntries(fields.map((field) => [field, anything]));
  const message = fc.record({ ...model, role: fc.constantFrom(...roles) }, { requiredKeys: [] });
  return fc.oneof(fc.array(message, { maxLength: 4 }), fc.array(fc.anything(), { maxLength: 3 }), fc.anything());
};

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

function scribble(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.values(value)) scribble(inner);
  if (Array.isArray(value)) Reflect.set(value, "length", 0);
  else for (const key of Object.keys(value)) Reflect.set(value, key, "scribble");
}
