/**
 * The JSON Schema of varve.json, for editors.
 *
 * @example
 * ```ts
 * const { $id } = await configJsonSchema(); // "https://unpkg.com/varve/assets/varve.schema.json"
 * ```
 */
export async function configJsonSchema(): Promise<Readonly<Record<string, unknown>>> {
  const { z } = await import("zod");
  const { configSchema } = await import("./schema.js");
  const { $schema, ...schema } = z.toJSONSchema(configSchema, { io: "input" });
  return { $schema, $id: CONFIG_SCHEMA, ...schema };
}

/** Where the schema of this release can be had. */
export const CONFIG_SCHEMA = "https://unpkg.com/varve/assets/varve.schema.json";
