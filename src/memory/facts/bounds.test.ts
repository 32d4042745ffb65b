import { describe, expect, it } from "vitest";
import { factsOf } from "./facts-of.js";
import { closings, type SlotValue } from "./supersede.js";

/** What a text closes that comes after another. */
function closed(before: string, after: string): string[] {
  const values = (text: string, at: number): SlotValue[] =>
    factsOf(text, { source: "user" }).flatMap((fact) =>
      fact.slot === undefined ? [] : [{ ...fact, slot: fact.slot, at, row: text }],
    );
  return closings(values(before, 1), values(after, 2)).map(({ value }) => `${value.slot} = ${value.value}`);
}

describe("a value that is bounded closes nothing beyond its bounds", () => {
  it.each([
    ["The deploy port is 8080", "The deploy port is 9090 in staging"],
    ["My email is ann@acme.com", "My email is ann@home.org for private things"],
    ["The database host is db1.internal", "The database host is db2.internal for replicas"],
    ["I use pnpm at work", "I use npm at home"],
    ["We use npm", "We use bun in the benchmarks repo"],
    ["We use npm", "We decided to use bun in the benchmarks repo"],
    ["We use Postgres for the database", "We use SQLite for the database in tests"],
    ["My timezone is CET", "My timezone is UTC on the server"],
    ["My favorite color is blue", "My favorite color is green on dashboards"],
    ["I live in Paris", "I moved to London for the weekend"],
    ["I live in Paris", "I am living in Lyon for the summer"],
    ["I work at Acme", "I work at Home on Fridays"],
    ["I work for Acme", "I work for Bob at Acme"],
    ["I work as a nurse", "I work as a volunteer driver on weekends"],
    ["My name is Ann", "My name is Ann-Marie on the passport"],
  ])("%s | %s", (before, after) => {
    expect(closed(before, after)).toEqual([]);
  });
});

describe("what is no value of the slot closes nothing", () => {
  it.each([
    ["I live in Lyon", "I moved to Product Design"],
    ["I'm from Spain", "I'm from QA"],
    ["I go by Annie", "I go by Train to work"],
    ["I am 34", "I am 2 and 0 in chess today"],
    ["My brother Tom works at Intel", "My brother Max works at IBM"],
    ["I joined Acme as an engineer", "I joined Slack as an admin"],
  ])("%s | %s", (before, after) => {
    expect(closed(before, after)).toEqual([]);
  });
});

describe("a value closes another", () => {
  it.each([
    [
      "The deploy port is 8080 in staging",
      "The deploy port is 9090 in staging",
      "project/deploy port in staging = 8080",
    ],
    ["I use npm at home", "I use pnpm at home", "user/package manager at home = npm"],
    ["The deploy port is 8080", "The deploy port is now 9090", "project/deploy port = 8080"],
    ["I live in Paris", "I moved to Lyon for work", "user/home city = Paris"],
    ["I live in Paris", "I moved to Lyon in 2024", "user/home city = Paris"],
    ["I work at Acme in Berlin", "I work at Globex in Paris", "user/employer = Acme"],
    ["We use npm", "We switched to pnpm in March", "project/package manager = npm"],
    [
      "My address is 12 Rue Bleue in Paris",
      "My address is 5 Elm Street in Berlin",
      "user/address = 12 Rue Bleue in Paris",
    ],
    ["My brother Tom works at Intel", "My brother Tom works at IBM", "user brother tom/employer = Intel"],
    ["My wife Anna works at Intel", "My wife works at IBM", "user wife/employer = Intel"],
    ["The deadline is Friday at noon", "The deadline is Monday at noon", "project/deadline = Friday at noon"],
  ])("%s | %s", (before, after, value) => {
    expect(closed(before, after)).toContain(value);
  });
});
