import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { cpuTime } from "../../../../test/support/cpu-time.js";
import { runs } from "../../../../test/support/runs.js";
import { readEntitySchema } from "./entity-schema.js";
import { ruleExtractor } from "./rule-extractor.js";

const booking = z.object({
  destination: z.string(),
  origin: z.string().optional(),
  date: z.string(),
  email: z.email(),
  phone: z.string().optional(),
  adults: z.int().min(1).max(9).describe("number of adult travellers or people"),
  budget: z.number().describe("Budget in EUR"),
  class: z.enum(["economy", "business", "first class"]),
  breakfast: z.boolean(),
  name: z.string(),
  notes: z.string().optional(),
  stops: z.array(z.string()).optional(),
});

const read = (said: string, schema: Parameters<typeof readEntitySchema>[0] = booking, asked?: string) =>
  ruleExtractor(readEntitySchema(schema)).extract([{ asked, said }], {});

describe("a value behind its property's name", () => {
  it.each([
    ["destination: Paris", { destination: "Paris" }],
    ["The destination is New York, please.", { destination: "New York" }],
    ["Destination = 'São Paulo'", { destination: "São Paulo" }],
    [
      "change the destination to Rome and my email is ann@example.org.",
      { destination: "Rome", email: "ann@example.org" },
    ],
    ["notes: window seat; date: 12 May", { notes: "window seat", date: "12 May" }],
    ["adults: 2\nclass: business", { adults: 2, class: "business" }],
    ["a budget of 1,500 is all I have", { budget: 1500 }],
    ["breakfast: no", { breakfast: false }],
    ["my phone is +49 30 1234567", { phone: "+49 30 1234567" }],
  ])("%s", async (said, expected) => {
    expect(await read(said)).toEqual(expected);
  });
});

describe("a value that speaks for itself", () => {
  it.each([
    ["I want to fly to Paris on 12 May.", { destination: "Paris", date: "12 May" }],
    [
      "From Berlin to San Francisco next Friday",
      { origin: "Berlin", destination: "San Francisco", date: "next Friday" },
    ],
    ["We are 2 adults, with €500 at most", { adults: 2, budget: 500 }],
    ["three people, 750 EUR", { adults: 3, budget: 750 }],
    ["Business, not economy", { class: "business" }],
    ["economy is fine rather than first class", { class: "economy" }],
    ["Move it to Monday", { date: "Monday" }],
    ["my flight from Texas to Newark. It leaves at 3pm", { origin: "Texas", destination: "Newark" }],
    ["I’m Ann, going to St. Louis", { name: "Ann", destination: "St. Louis" }],
    ["then on to Marseille", { destination: "Marseille" }],
    ["no breakfast for us", { breakfast: false }],
    ["with breakfast", { breakfast: true }],
    ["I'm Ann Smith, write to ann.smith@example.org", { name: "Ann Smith", email: "ann.smith@example.org" }],
    ["March 3rd, 2027 would suit me", { date: "March 3rd, 2027" }],
  ])("%s", async (said, expected) => {
    expect(await read(said)).toEqual(expected);
  });

  it.each([
    "What is the destination?",
    "The destination is not clear yet",
    "I want to think about it",
    "adults: 12",
    "the email is not here",
    "thanks!",
  ])("is not found in: %s", async (said) => {
    expect(await read(said)).toEqual({});
  });
});

describe("of several values", () => {
  it("the last one counts, within a message and across messages", async () => {
    expect(await read("To Paris. No: to Rome!")).toMatchObject({ destination: "Rome" });
    const extractor = ruleExtractor(readEntitySchema(booking));
    const said = (text: string) => ({ asked: undefined, said: text });
    const update = await extractor.extract([said("to Paris on 12 May"), said("make that to Oslo")], {});
    expect(update).toEqual({ destination: "Oslo", date: "12 May" });
  });

  it("none counts without a label where two properties take the same kind", async () => {
    const trip = z.object({ departureDate: z.string(), returnDate: z.string() });
    expect(await read("on 12 May", trip)).toEqual({});
    expect(await read("departure date is 12 May, return date: 19 May", trip)).toEqual({
      departureDate: "12 May",
      returnDate: "19 May",
    });
  });
});

describe("a short answer", () => {
  it.each([
    ["Great. What is your destination?", "Paris", { destination: "Paris" }],
    ["Would you like breakfast?", "Yes please", { breakfast: true }],
    ["Would you like breakfast?", "no", { breakfast: false }],
    ["How many adults?", "two", { adults: 2 }],
    ["Any notes?", "window seat", { notes: "window seat" }],
  ])("to %s: %s", async (asked, said, expected) => {
    expect(await read(said, booking, asked)).toEqual(expected);
  });

  it("is not taken where the question names two properties or none", async () => {
    expect(await read("the first", booking, "Which notes, and which destination?")).toEqual({});
    expect(await read("window seat", booking, "Anything else?")).toEqual({});
  });
});

describe("the schema", () => {
  it("may be a JSON Schema, and decides what is accepted", async () => {
    const schema = {
      type: "object",
      properties: {
        day: { type: "string", format: "date" },
        seats: { type: ["integer", "null"], maximum: 4 },
        meal: { anyOf: [{ enum: ["vegan", "halal"] }, { type: "null" }] },
      },
    };
    expect(await read("on 12 May 2027, 3 seats, vegan", schema)).toEqual({
      day: "2027-05-12",
      seats: 3,
      meal: "vegan",
    });
    expect(await read("on 12 May, 9 seats", schema)).toEqual({});
  });

  it("gives no property a number that stands beside no unit of it", async () => {
    const schema = z.object({ number: z.int(), fare: z.number().describe("in JPY") });
    expect(await read("see you at 5, or 12 of us", schema)).toEqual({});
    expect(await read("¥1,200 is fine", schema)).toEqual({ fare: 1200 });
  });

  it("must name properties", () => {
    expect(() => readEntitySchema({ type: "object" })).toThrow(/names no properties/);
    expect(() => readEntitySchema(z.object({}))).toThrow(/names no properties/);
  });
});

describe("any words at all", () => {
  it("give values that the schema accepts, and never an error", async () => {
    const schema = readEntitySchema(booking);
    const piece = fc.constantFrom(
      "to Paris",
      "destination",
      "is",
      ":",
      "12 May",
      "€",
      "500",
      "not",
      "a@b.co",
      ",",
      "adults",
      "two",
      "\n",
    );
    const words = fc.oneof(
      fc.array(piece, { maxLength: 14 }).map((list) => list.join(" ")),
      fc.string({ unit: "grapheme" }),
    );
    await fc.assert(
      fc.asyncProperty(words, fc.option(words, { nil: undefined }), async (said, asked) => {
        const update = await ruleExtractor(schema).extract([{ asked, said }], {});
        for (const [name, value] of Object.entries(update)) expect(schema.accepts(name, value)).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  it("are read in time that grows with their length", async () => {
    const extractor = ruleExtractor(readEntitySchema(booking));
    for (const unit of ["to Paris ", "1,", "a.", "destination is ", "12 ", "+1 ", "A-", "not a "]) {
      const said = unit.repeat(8_000 / unit.length);
      expect(await cpuTime(() => extractor.extract([{ asked: undefined, said }], {}))).toBeLessThan(1_000);
    }
  });
});
