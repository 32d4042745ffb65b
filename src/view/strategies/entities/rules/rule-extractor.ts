import type { JSONValue } from "../../../../message/types.js";
import type { EntitySchema } from "../entity-schema.js";
import type { EntityUpdate, Extractor, Utterance } from "../extractor.js";
import { answers, labelled } from "./labelled.js";
import { mentioned } from "./mentioned.js";
import { isoDate } from "./readers.js";
import { type Slot, slotsOf } from "./slot.js";

/**
 * Fills a state without a model, by simple rules for English. For each property, in this order:
 *
 * 1. its name with a value: "destination: Paris", "my email is ann@example.org", "change the date to 12 May";
 * 2. a value that speaks for itself: one of the listed choices, an address, a date, "2 adults", "€500" where the
 *    description says EUR, "to Paris" for a destination, "no breakfast" for a boolean;
 * 3. a short answer to a question of the assistant that names the property.
 *
 * Of several values the last one counts. Values that the schema refuses are passed over, and so are lists and objects.
 * The rules read no pronouns and no corrections without a name ("no, the other one"): that takes a model.
 */
export function ruleExtractor(schema: EntitySchema): Extractor {
  const slots = slotsOf(schema);
  return {
    room: Number.POSITIVE_INFINITY,
    extract: async (utterances) => {
      let update: EntityUpdate = {};
      for (const utterance of utterances) update = { ...update, ...readUtterance(utterance, slots, schema) };
      return update;
    },
  };
}

/** The rules know one apostrophe; phones and word processors write another. */
const straight = (text: string): string => text.replace(/’/g, "'");

function readUtterance(spoken: Utterance, slots: readonly Slot[], schema: EntitySchema): EntityUpdate {
  const utterance = { asked: spoken.asked && straight(spoken.asked), said: straight(spoken.said) };
  const found = slots.flatMap((slot): [string, JSONValue][] => {
    const accepted = (values: readonly JSONValue[]) => values.flatMap((value) => fitting(value, slot, schema)).at(-1);
    const value =
      accepted(labelled(utterance.said, slot)) ??
      accepted(mentioned(utterance.said, slot)) ??
      accepted(answers(utterance, slot, slots));
    return value === undefined ? [] : [[slot.name, value]];
  });
  return Object.fromEntries(found);
}

/** A value as the schema takes it, if it does. */
function fitting(value: JSONValue, { name, kind }: Slot, schema: EntitySchema): JSONValue[] {
  if (schema.accepts(name, value)) return [value];
  const iso = kind === "date" && typeof value === "string" ? isoDate(value) : undefined;
  return iso !== undefined && schema.accepts(name, iso) ? [iso] : [];
}
