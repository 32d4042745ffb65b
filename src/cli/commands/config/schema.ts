import { configJsonSchema } from "../../../config/json-schema.js";
import { VarveError } from "../../../errors.js";
import { nearest } from "../../../message/nearest.js";
import { defineCommand } from "../../command.js";
import type { Output } from "../../output/schemas.js";

interface SchemaOptions {
  readonly of?: string;
}

export const command = defineCommand<SchemaOptions>({
  define: (command) => {
    command.option("--of <command>", 'of what a command prints with --json, such as "context status"');
  },
  async run({ options }) {
    const schema = options.of === undefined ? await configJsonSchema() : await outputJsonSchema(options.of);
    const data: Output<"config schema"> = { schema: { ...schema } };
    return { data, lines: () => [JSON.stringify(schema, undefined, 2)] };
  },
});

async function outputJsonSchema(name: string): Promise<Readonly<Record<string, unknown>>> {
  const { outputSchemas } = await import("../../output/schemas.js");
  const { z } = await import("zod");
  const schema = outputSchemas[name];
  if (schema !== undefined) return { title: `varve ${name} --json`, ...z.toJSONSchema(schema) };
  const names = Object.keys(outputSchemas);
  const meant = nearest(name, names);
  throw new VarveError({
    code: "not-found",
    message: `There is no command "${name}" that prints JSON.`,
    hint: `${meant === undefined ? "" : `Did you mean "${meant}"? `}There are: ${names.join(", ")}.`,
    details: { command: name },
  });
}
