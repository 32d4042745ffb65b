import type { EntityProperty, EntitySchema } from "../entity-schema.js";
import { type ValueKind, valueKind, wordsOf } from "./value-kind.js";

/** A property with what the rules know of it. */
export interface Slot extends EntityProperty {
  readonly kind: ValueKind;
  /** The words of its name. */
  readonly words: readonly string[];
  /** The words of its description and title, where it has one. */
  readonly about: readonly string[];
  /** Whether no other property takes the same kind of value: then a value needs no label. */
  readonly alone: boolean;
}

export function slotsOf({ properties }: EntitySchema): Slot[] {
  const kinds = properties.map(valueKind);
  return properties.map((property, at) => {
    const { description, title } = property.schema;
    return {
      ...property,
      kind: kinds[at]!,
      words: wordsOf(property.name),
      about: [title, description].flatMap((text) => (typeof text === "string" ? wordsOf(text) : [])),
      alone: kinds.filter((kind) => kind === kinds[at]).length === 1,
    };
  });
}
