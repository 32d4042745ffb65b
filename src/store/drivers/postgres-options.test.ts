import fc from "fast-check";
import { expect, test } from "vitest";
import { escaped, unescaped } from "./escaped-text.js";
import { postgresSettings } from "./postgres-options.js";
import { keyParts } from "./postgres-text.js";

const place = (url: string) => postgresSettings({ url }).place;

test("an address says where the store is, and its schema does not go to the server", () => {
  const settings = postgresSettings({
    url: "postgresql://ann:pass%40word@db.example:6000/agents?schema=notes&sslmode=require",
  });
  expect(settings.place).toEqual({ host: "db.example:6000", database: "agents", user: "ann", schema: "notes" });
  expect(settings.url).toBe("postgresql://ann:pass%40word@db.example:6000/agents?sslmode=require");
});

test("an option comes before the address, and what neither says is as documented", () => {
  const settings = postgresSettings({ url: "postgres://db.example/agents?schema=notes", schema: "other" });
  expect(settings).toMatchObject({ schema: "other", poolSize: 10, statementTimeout: 30_000, retryFor: 15_000 });
  expect(place("postgres://db.example/agents")).toMatchObject({ host: "db.example:5432", schema: "varve" });
  expect(place("postgres:///agents?host=/var/run/postgresql").host).toBe("/var/run/postgresql");
});

test.each([
  ["poolSize", 0],
  ["statementTimeout", -1],
  ["connectTimeout", 1.5],
  ["retryFor", Number.NaN],
  ["schema", ""],
  ["schema", "pg_own"],
  ["schema", "x".repeat(64)],
])("refuses %s %j and says what may stand there", (option, value) => {
  const refusal = expect.objectContaining({ code: "invalid-option", details: { option, value } });
  expect(() => postgresSettings({ url: "postgres://db.example/agents", [option]: value })).toThrow(refusal);
});

test("names stay apart, come back as they were, and keep their beginnings", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "\\", "0", "\0", "\ud83d", "\ude00", "😀", "ü") });
  const property = fc.property(name, name, (left, right) => {
    expect(unescaped(escaped(left))).toBe(left);
    expect(escaped(left).isWellFormed()).toBe(true);
    expect(escaped(left)).not.toContain("\0");
    expect(escaped(left) === escaped(right)).toBe(left === right);
    expect(keyParts(left)[0] === keyParts(right)[0]).toBe(left === right);
    if (!/[\ud800-\udbff]$/.test(left)) expect(escaped(left + right).startsWith(escaped(left))).toBe(true);
  });
  fc.assert(property);
});
