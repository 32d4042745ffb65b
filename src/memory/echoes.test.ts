import { describe, expect, it } from "vitest";
import { Retold, tells, withoutEchoes } from "./echoes.js";

const BOAT = "Ann's boat is called Esmeralda and is moored in Kiel";
const retold = new Retold([BOAT, "Ann is not vegan.", "The deploy port is 8080."]);

describe("an echo", () => {
  it.each([
    "According to my notes, Ann's boat is called Esmeralda and is moored in Kiel.",
    "Ann's boat Esmeralda is moored in Kiel.",
    "As you told me earlier, the deploy port is 8080.",
    "Ann's boat Esmeralda is moored in Kiel, and the deploy port is 8080.",
    "I remember that Ann isn't vegan.",
  ])("is a sentence that has nothing of its own: %s", (sentence) => {
    expect(retold.has(sentence)).toBe(true);
  });

  it.each([
    "Ann's boat Esmeralda is moored in Oslo.",
    "Ann's boat is called Esmeralda and is not moored in Kiel.",
    "Ann is vegan.",
    "The deploy port is 9090.",
    "Ann sold her boat Esmeralda last week and bought a bicycle.",
    "Okay.",
  ])("is not one that says something else: %s", (sentence) => {
    expect(retold.has(sentence)).toBe(false);
  });

  it("is not one whose words stand here and there in a long text", () => {
    const long = new Retold(["We moved the office. The garden needs water. Peter paints the fence. Anna sold a car."]);
    expect(long.has("Anna paints the office garden.")).toBe(false);
    expect(long.has("Anna sold a car and Peter paints the fence.")).toBe(true);
  });

  it("is taken out of a text, and the rest of it stays", () => {
    const text =
      "My notes say that Ann’s boat is called **Esmeralda**. The harbour fee rose to 40 euros.\n\nHere is more:\n\n```\nboat = Esmeralda\n```";
    expect(withoutEchoes(text, retold)).toBe(
      "The harbour fee rose to 40 euros.\n\nHere is more:\n\n```\nboat = Esmeralda\n```",
    );
    expect(withoutEchoes("The harbour fee rose to 40 euros.", retold)).toBe("The harbour fee rose to 40 euros.");
    expect(withoutEchoes(`According to my notes: ${BOAT}.`, retold)).toBe("");
  });
});

it("a text tells another where it has its words, whatever else it says", () => {
  expect(tells(`The fee is 40 euros; ${BOAT}, near the old mill.`, BOAT)).toBe(true);
  expect(tells("The boat was painted.", BOAT)).toBe(false);
});
