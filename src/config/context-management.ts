/** The `context_management` object: the same settings in the words of another project's files. */
import { z } from "zod";
import { type ContextManagement, STRATEGIES } from "./translate.js";
import { field } from "./words.js";

const count = (description: string) =>
  field(z.int().min(1), { description, allowed: "a whole number of messages from 1" }).optional();
const share = (description: string) =>
  field(z.number().min(0).max(1), { description, allowed: "a number from 0 to 1" }).optional();
const name = (description: string, allowed: string) => field(z.string().min(1), { description, allowed }).optional();

export const contextManagementSchema: z.ZodType<ContextManagement> = z.strictObject({
  strategy: field(z.enum(Object.keys(STRATEGIES) as (keyof typeof STRATEGIES)[]), {
    description: "How views are made.",
    allowed: `one of ${Object.keys(STRATEGIES).join(", ")}`,
  }).optional(),
  max_messages: count("Messages that a view shows in full at most."),
  summarize_threshold: count("Messages above which the older ones are summarised."),
  importance_threshold: share("Messages that score less are summarised or left out."),
  checkpoint_interval_messages: count("Messages from one automatic checkpoint to the next."),
  semantic_memory: field(
    z.strictObject({
      enabled: field(z.boolean(), { description: "Whether there is memory.", allowed: "true or false" }).optional(),
      embedding_model: name("Turns texts into vectors.", "a model's name, such as text-embedding-3-small"),
      vector_store: name("Where vectors are kept.", "a name"),
      similarity_threshold: share("Memories less similar than this are not recalled."),
    }),
    { description: "Memory across sessions.", allowed: "an object" },
  ).optional(),
});
