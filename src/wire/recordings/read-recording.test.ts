import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../test/support/runs.js";
import { VarveError } from "../../errors.js";
import { messageProblem } from "../../message/check-message.js";
import { repair } from "../../message/repair.js";
import { PROVIDERS, violations } from "../../wire/legality/violations.js";
import { detectFormat, readRecording, readRecordingStream } from "./read-recording.js";
import { RECORDING_FORMATS, type RecordingFormat } from "./recording.js";
import { claudeLine, claudeUser, kinds, lines, SAMPLES } from "./samples.test-helpers.js";

const samples = Object.entries(SAMPLES) as [RecordingFormat, string][];

function refusal(run: () => unknown): VarveError {
  try {
    run();
  } catch (error) {
    if (VarveError.isInstance(error)) return error;
  }
  throw new Error("nothing was refused");
}

/** Gives messages that can be stored, or a typed error. */
function readsOrRefuses(text: string, format?: RecordingFormat): void {
  try {
    const { conversations } = readRecording(text, format === undefined ? {} : { format });
    for (const { messages, times, usage } of conversations) {
      expect(messages.map(messageProblem)).toEqual(messages.map(() => undefined));
      expect(times?.length ?? messages.length).toBe(messages.length);
      for (const { at } of usage ?? []) expect(messages[at]?.role).toBe("assistant");
    }
  } catch (error) {
    if (!VarveError.isInstance(error)) throw error;
  }
}

/** Cuts a text at random places. */
const pieces = (text: string): fc.Arbitrary<string[]> =>
  fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 12 }).map((cuts) => {
    const sorted = [0, ...cuts.toSorted((left, right) => left - right), text.length];
    return sorted.slice(1).map((end, at) => text.slice(sorted[at], end));
  });

describe("every format", () => {
  test("has a sample, but for varve's own export", () => {
    expect([...samples.map(([format]) => format), "varve-export"].toSorted()).toEqual(
      [...RECORDING_FORMATS].toSorted(),
    );
  });

  test.each(samples)("%s is found by itself", (format, text) => {
    expect(detectFormat(text)).toBe(format);
    const recording = readRecording(text);
    expect(recording.format).toBe(format);
    expect(recording.warnings).toEqual([]);
    expect(recording.conversations).toHaveLength(1);
    expect(recording.conversations[0]?.messages[0]?.role).toBe("user");
  });

  test.each(samples)("%s is the same when it is named", (format, text) => {
    expect(readRecording(text, { format })).toEqual(readRecording(text));
  });

  test.each(samples)("%s is the same in pieces, however they are cut", (_, text) => {
    const whole = readRecording(text);
    fc.assert(
      fc.property(pieces(text), (chunks) => {
        expect(readRecording(chunks)).toEqual(whole);
      }),
      { numRuns: runs(25) },
    );
  });

  test.each(samples)("%s is the same from a stream of bytes", async (_, text) => {
    const bytes = new TextEncoder().encode(text);
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += 7) yield bytes.slice(at, at + 7);
    }
    expect(await readRecordingStream(chunks())).toEqual(readRecording(text));
  });

  test.each(samples)("%s is the same after a byte order mark, and with Windows line ends", (_, text) => {
    const whole = readRecording(text);
    expect(readRecording(`\uFEFF${text}`)).toEqual(whole);
    expect(readRecording(text.replaceAll("\n", "\r\n"))).toEqual(whole);
  });

  test.each(samples)("%s gives messages that every provider takes once repaired", (_, text) => {
    for (const { messages } of readRecording(text).conversations)
      for (const provider of PROVIDERS) expect(violations(repair(messages).messages, provider)).toEqual([]);
  });
});

describe("damage", () => {
  const whole = lines(claudeLine("u1", null, claudeUser("One")), claudeLine("u2", "u1", claudeUser("Two")));

  test("reads up to a last line that a crash cut", () => {
    const cut = whole.slice(0, -20);
    expect(readRecording(cut).conversations[0]?.messages).toEqual([{ role: "user", content: "One" }]);
    expect(readRecording(cut).warnings).toMatchObject([{ kind: "cut-short", line: 2 }]);
  });

  test("reads around a torn line in the middle", () => {
    const torn = `${whole.slice(0, 60)}\n${whole}`;
    expect(readRecording(torn).conversations[0]?.messages).toHaveLength(2);
    expect(readRecording(torn).warnings).toMatchObject([{ kind: "broken-line", line: 1 }]);
  });

  test("counts the kinds that it does not know", () => {
    const odd = `${whole}${lines({ type: "hologram", sessionId: "s1" }, { type: "hologram", sessionId: "s1" }, { type: "smell" })}`;
    expect(readRecording(odd).warnings).toMatchObject([
      { kind: "unknown-kind", count: 2, message: '2 items of the unknown kind "hologram" left out.' },
      { kind: "unknown-kind", count: 1 },
    ]);
  });

  test("gives sound messages or a VarveError, whatever is cut out of a recording", () => {
    const cuts = fc
      .constantFrom(...samples)
      .chain(([, text]) => fc.tuple(fc.constant(text), fc.nat(text.length), fc.nat(40)));
    fc.assert(
      fc.property(cuts, ([text, at, length]) => {
        const damaged = text.slice(0, at) + text.slice(at + length);
        readsOrRefuses(damaged);
      }),
      { numRuns: runs(500) },
    );
  });

  test("gives sound messages or a VarveError on odd values, whatever the format is said to be", () => {
    const odd = fc.record({
      format: fc.constantFrom(...RECORDING_FORMATS),
      value: fc.oneof(fc.jsonValue({ maxDepth: 3 }), oddLine()),
    });
    fc.assert(
      fc.property(odd, ({ format, value }) => {
        readsOrRefuses(lines({ a: 1 }, value as object), format);
      }),
      { numRuns: runs(500) },
    );
  });
});

/** A line of a sample with one of its values, at any depth, replaced by nonsense. */
function oddLine(): fc.Arbitrary<unknown> {
  const values = samples.filter(([format]) => format !== "specstory").flatMap(([, text]) => valuesIn(text));
  return fc
    .tuple(fc.constantFrom(...values), fc.nat(200), fc.constantFrom(null, 0, "", "x", [], {}, [[]], [null]))
    .map(([value, at, nonsense]) => {
      let place = 0;
      return JSON.parse(JSON.stringify(value), (_, inner) => (place++ === at ? nonsense : inner));
    });
}

function valuesIn(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  }
}

describe("refusals", () => {
  test.each(["Hello", "", '{"a":1}', "[]", "[1,2]", "null", '{"a":'])("%j is of no known format", (text) => {
    expect(detectFormat(text)).toBeUndefined();
    const { code, details, hint } = refusal(() => readRecording(text));
    expect(code).toBe("unknown-format");
    expect(hint).toMatch(/format/);
    const tried = details.tried as { format: string; why: string }[];
    expect(tried.map(({ format }) => format).toSorted()).toEqual([...RECORDING_FORMATS].toSorted());
    expect(tried.every(({ why }) => why.length > 5)).toBe(true);
  });

  test("varve's own export is known, and belongs to another command", () => {
    const text = lines({ type: "varve-export", format: 1, time: 1 }, { type: "end", sessions: 0, entries: 0 });
    expect(detectFormat(text)).toBe("varve-export");
    const { code, hint } = refusal(() => readRecording(text));
    expect(code).toBe("invalid-document");
    expect(hint).toMatch(/varve session import/);
  });

  test("a format that does not exist", () => {
    expect(refusal(() => readRecording("[]", { format: "word" as RecordingFormat })).code).toBe("invalid-option");
  });

  test("a named format in which the text holds nothing is an empty recording", () => {
    expect(readRecording(SAMPLES.pi, { format: "codex" }).conversations).toEqual([]);
    expect(readRecording(SAMPLES.pi, { format: "codex" }).warnings.map(({ kind }) => kind)).toContain("empty");
    expect(kinds(SAMPLES.pi)).toEqual([]);
  });
});
