import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runs } from "../../test/support/runs.js";
import { fits } from "./check-fast.js";
import { configJsonSchema } from "./json-schema.js";
import { configSchema } from "./schema.js";

const FILE = "../../assets/varve.schema.json";

describe("the schema of varve.json", () => {
  it("is shipped as it is (vitest --update writes it)", async () => {
    await expect(`${JSON.stringify(await configJsonSchema(), undefined, 2)}\n`).toMatchFileSnapshot(FILE);
  });
});

describe("the fast check", () => {
  const schema = z.toJSONSchema(configSchema, { io: "input" });
  const parts = fc.oneof(
    fc.constantFrom(0, 1, -1, 0.5, 2.5, "", "a", "built-in", "memory", "http://a/v1", true, null),
    fc.constantFrom([], ["a"], [""], {}, { plugin: "./a.js" }, { model: "m" }, { onnx: "m.onnx" }, { a: "b" }),
    fc.constantFrom({ enabled: true }, { every: 3 }, { every: 0 }, { turns: 3 }, { strategy: "importance_based" }),
    fc.constantFrom({ protocol: "openai", model: "m" }, { protocol: "x" }, { limit: 1, scope: { user: "ann" } }),
  );
  const keys = fc.constantFrom(...Object.keys(schema.properties ?? {}), "windw", "constructor");

  it("knows every word of the schema: what zod takes, it takes", () => {
    fc.assert(
      fc.property(fc.dictionary(keys, parts, { maxKeys: 4 }), (value) => {
        expect(fits({ ...schema }, value)).toBe(configSchema.safeParse(value).success);
      }),
      { numRuns: runs(3_000) },
    );
  });

  it("leaves a schema that it does not know to zod", () => {
    expect(fits({ pattern: "^a" }, "a")).toBe(false);
  });
});
