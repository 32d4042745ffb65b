import { describe, expect, it } from "vitest";
import { z } from "zod";
import { entities } from "./entities/entities.js";
import { hierarchical } from "./hierarchical.js";
import { importance } from "./importance.js";
import { slidingWindow } from "./sliding-window.js";
import { summarization } from "./summarization.js";

const schema = z.object({ city: z.string() });
/** Whatever a program without types may pass. */
const MAKERS: Readonly<Record<string, (options: never) => unknown>> = {
  hierarchical,
  importance,
  summarization,
  slidingWindow,
  entities,
};
const made = (name: string, options: unknown) => () => MAKERS[name]!(options as never);

describe("a strategy that is made", () => {
  it.each<[string, string, unknown]>([
    ["hierarchical", "fanout", 1],
    ["hierarchical", "fanout", 0],
    ["hierarchical", "fanout", 2.5],
    ["hierarchical", "digestShare", "x"],
    ["hierarchical", "largestLeafShare", -0.1],
    ["hierarchical", "trimShare", 0],
    ["hierarchical", "lockLast", -4],
    ["hierarchical", "resultShare", 44],
    ["hierarchical", "summariser", {}],
    ["hierarchical", "onSummary", "log"],
    ["hierarchical", "archive", true],
    ["importance", "threshold", 7],
    ["importance", "threshold", "a"],
    ["importance", "keptShare", -1],
    ["importance", "fanout", 1],
    ["summarization", "summaryShare", 2],
    ["summarization", "summaryShare", Number.NaN],
    ["summarization", "lockLast", null],
    ["summarization", "summariser", () => "text"],
    ["slidingWindow", "lockLast", "2"],
    ["slidingWindow", "clearResults", 1],
    ["entities", "keepTurns", 0],
    ["entities", "extractor", {}],
    ["entities", "initial", "x"],
  ])("refuses, as %s, %s of %j", (name, option, value) => {
    const refusal = expect.objectContaining({
      code: "invalid-option",
      details: { option, value, allowed: expect.any(String) },
    });
    const options = { ...(name === "entities" && { schema }), [option]: value };
    expect(made(name, options)).toThrow(refusal);
  });

  it("shows the shape that a summariser has", () => {
    const hint = expect.stringContaining("{ name, summarise(request) }, where summarise resolves to { text, madeBy }");
    for (const name of ["hierarchical", "summarization"])
      expect(made(name, { summariser: async () => "text" })).toThrow(expect.objectContaining({ hint }));
  });

  it.each(Object.keys(MAKERS))("refuses, as %s, options that are none and names that it does not know", (name) => {
    const refusal = (option: string) =>
      expect.objectContaining({ code: "invalid-option", details: expect.objectContaining({ option }) });
    for (const options of [null, "x", 5, []]) expect(made(name, options)).toThrow(refusal("options"));
    expect(made(name, { schema, widnow: 5 })).toThrow(expect.objectContaining({ code: "invalid-option" }));
    expect(made(name, { constructor: 5 })).toThrow(refusal("constructor"));
  });

  it("refuses entities without a schema that it can read", () => {
    for (const bad of [undefined, null, "x", {}, { properties: { a: { type: "text" } } }])
      expect(made("entities", { schema: bad })).toThrow(
        expect.objectContaining({ code: "invalid-option", details: expect.objectContaining({ option: "schema" }) }),
      );
  });

  it("takes an option that is undefined for one that was not given", () => {
    const strategy = made("hierarchical", { fanout: undefined, digestShare: undefined, window: 200 })() as ReturnType<
      typeof hierarchical
    >;
    const history = Array.from({ length: 60 }, (_, at) => ({ role: "user" as const, content: `note ${at} of many` }));
    return expect(strategy.composePayload("", history, [])).resolves.toMatchObject({ entries: 60 });
  });

  it("takes every option at the ends of what is allowed", () => {
    const ends = { lockLast: 0, resultShare: 1, digestShare: 1, largestLeafShare: 1, fanout: 2, trimShare: 1 };
    expect(made("hierarchical", ends)).not.toThrow();
    expect(made("importance", { ...ends, threshold: 0, keptShare: 0 })).not.toThrow();
    expect(made("summarization", { lockLast: 0, resultShare: 1, summaryShare: 1, threshold: 1 })).not.toThrow();
  });
});
