/** The schema of varve.json. What may stand at a place is said in words beside it, for errors and for editors. */
import { z } from "zod";
import { contextManagementSchema } from "./context-management.js";
import { strategyFields } from "./strategy-fields.js";
import { field } from "./words.js";

const tokens = (description: string, least = 1) =>
  field(z.int().min(least), { description, allowed: `a whole number of tokens from ${least}` });
const count = (description: string, unit: string) =>
  field(z.int().min(1), { description, allowed: `a whole number of ${unit} from 1` });
const share = (description: string) =>
  field(z.number().gt(0).max(1), { description, allowed: "a share above 0 and up to 1, such as 0.75" });
const threshold = (description: string) =>
  field(z.number().min(0).max(1), { description, allowed: "a number from 0 to 1" });
const words = (description: string, allowed: string) => field(z.string().min(1), { description, allowed });
const flag = (description: string) => field(z.boolean(), { description, allowed: "true or false" });

const variable = words("Name of the environment variable that holds the key.", "a name such as OPENAI_API_KEY");
const endpoint = {
  model: words("The model's name, as its provider knows it.", "a name such as gpt-4.1-mini").optional(),
  protocol: field(z.enum(["openai", "anthropic"]), {
    description: "How the endpoint is spoken to; found from the model's name unless given.",
    allowed: '"openai" or "anthropic"',
  }).optional(),
  baseURL: field(z.url(), {
    description: "Where the model is, with the version: http://localhost:11434/v1.",
    allowed: "an address that begins with http:// or https://",
  }).optional(),
  apiKeyEnv: variable.optional(),
};
const plugin = words("A package, or a path from this file; #name picks an export.", 'a path such as "./mine.js#make"');

const summariser = z.union([
  z.literal("extractive"),
  z.strictObject(endpoint),
  z.strictObject({ plugin, options: z.record(z.string(), z.unknown()).optional() }),
]);
const embedder = z.union([
  z.literal("built-in"),
  z.strictObject({
    ...endpoint,
    dimensions: count("Length of the model's vectors; known for OpenAI's own models.", "numbers").optional(),
  }),
  z.strictObject({
    onnx: words("Path of the model, such as all-MiniLM-L6-v2/onnx/model.onnx.", "the path of an .onnx file"),
  }),
  z.strictObject({ plugin, options: z.record(z.string(), z.unknown()).optional() }),
]);
const store = z.union([
  words("memory, sqlite:PATH, file:FOLDER or postgres://…", 'an address such as "sqlite:./varve.db"'),
  z.strictObject({ plugin, options: z.record(z.string(), z.unknown()).optional() }),
]);

const snapshots = z.union([
  z.boolean(),
  z.strictObject({
    folder: words("Where they are written.", "a folder").optional(),
    every: count("Messages from one snapshot to the next.", "messages").optional(),
    keep: count("Snapshots of a session that are kept.", "snapshots").optional(),
    keyEnv: variable.optional(),
  }),
]);

const owner = z.string().min(1).optional();
const memory = z.strictObject({
  enabled: flag("Whether memories are recalled and stored.").optional(),
  scope: field(z.strictObject({ tenant: owner, user: owner, agent: owner, project: owner, session: owner }), {
    description: "Whose memories they are.",
    allowed: 'an object of names, such as { "user": "ann" }',
  }).optional(),
  recall: flag("Whether views show the memories that the latest request asks for.").optional(),
  learn: flag("Whether what is said becomes memories.").optional(),
  tools: flag("Whether the results of tools become memories too.").optional(),
  share: share("Share of the usable tokens that memories may take.").optional(),
  similarityThreshold: threshold("Memories less similar than this are not recalled.").optional(),
  limit: count("Memories that are recalled at most.", "memories").optional(),
});

const compaction = z.strictObject({
  keepLastTurns: count("Turns at the end that a compaction of messages keeps.", "turns").optional(),
  maxAttempts: count("Compactions that one request may cause.", "attempts").optional(),
  maxHistory: count("Entries of a context document above which it is compacted.", "entries").optional(),
  keep: count("Entries of a context document that a compaction keeps.", "entries").optional(),
  maxTokens: count("Tokens of a context document above which its older half goes.", "tokens").optional(),
});

const chat = z.strictObject({
  ...endpoint,
  system: words("The system prompt of `varve chat`.", "a text").optional(),
  maxOutputTokens: tokens("Tokens that one answer may take.").optional(),
  environment: field(z.array(z.string().min(1)), {
    description: "Variables that commands of the model see besides PATH, HOME and the like.",
    allowed: 'a list of names, such as ["GOPATH"]',
  }).optional(),
});

/** Every option of every strategy may stand here; which of them belong together is checked once the strategy is known. */
const strategyOptions = z.looseObject({
  ...strategyFields["sliding-window"],
  ...strategyFields.summarization,
  ...strategyFields.importance,
  keepTurns: z.number().optional(),
});

const described = <T extends z.ZodType>(schema: T, description: string, allowed: string): T =>
  field(schema, { description, allowed });

export const configSchema = z
  .strictObject({
    $schema: z.string().optional(),
    store: described(
      store,
      "Where sessions are kept.",
      'an address such as "sqlite:./varve.db", or { "plugin": … }',
    ).optional(),
    model: words("Names the model: its window, its output, its tokenizer.", "a model's name").optional(),
    window: tokens("Tokens that the model takes in one request.").optional(),
    reserve: tokens("Tokens kept free for the answer.", 0).optional(),
    trigger: share("Share of the usable tokens above which a view is reduced.").optional(),
    target: share("Share of the usable tokens that a reduction aims for.").optional(),
    maxSpend: field(z.number().gt(0), {
      description: "USD that a step may cost to read its view from the provider's cache.",
      allowed: "USD above 0, such as 0.05",
    }).optional(),
    strategy: words(
      "sliding-window, summarization, importance, hierarchical, entities, or the id of a plug-in.",
      "a strategy's name",
    ).optional(),
    strategyOptions: described(strategyOptions, "Options of the strategy.", "an object").optional(),
    pinBudget: share("Share of the usable tokens that all pins may take.").optional(),
    cacheLifetime: field(z.number().min(0), {
      description: "Milliseconds for which the provider's cache is taken to hold a view.",
      allowed: "milliseconds from 0",
    }).optional(),
    checkpointEvery: count("Messages from one automatic checkpoint to the next.", "messages").optional(),
    snapshots: described(
      snapshots,
      "Writes snapshots of every session as it grows.",
      "true, false, or an object of folder, every, keep and keyEnv",
    ).optional(),
    summariser: described(
      summariser,
      "Writes the prose of digests; the log's own words are used unless given.",
      '"extractive", an endpoint such as { "model": "gpt-4.1-mini" }, or { "plugin": … }',
    ).optional(),
    embedder: described(
      embedder,
      "Turns texts into vectors for memory.",
      '"built-in", an endpoint such as { "model": "text-embedding-3-small" }, { "onnx": … } or { "plugin": … }',
    ).optional(),
    memory: described(memory, "What is remembered across sessions.", "an object").optional(),
    compaction: described(compaction, "Limits of maybeCompactContext and compactContext.", "an object").optional(),
    plugins: field(z.array(z.string().min(1)), {
      description: "Paths of plugin.json files, or of their folders.",
      allowed: 'a list of paths, such as ["./plugin.json"]',
    }).optional(),
    chat: described(chat, "The model that `varve chat` speaks with.", "an object").optional(),
    context_management: described(contextManagementSchema, "The same in other words.", "an object").optional(),
  })
  .meta({ title: "varve.json", description: "Configuration of varve." });

/** What varve.json may say. */
export type ConfigFile = z.infer<typeof configSchema>;

/** The configuration in force. */
export type Config = Omit<ConfigFile, "$schema" | "context_management">;
