import { describe, expect, it } from "vitest";
import { requestsIn } from "./requests.js";

describe("requestsIn", () => {
  it.each([
    ["Remember that my flight leaves at 9.", "my flight leaves at 9"],
    ["Please remember: the demo is on Friday.", "the demo is on Friday"],
    ["Could you keep in mind that Bob is allergic to nuts?", "Bob is allergic to nuts"],
    ["Don't forget that we ship on Tuesdays.", "we ship on Tuesdays"],
    ["Procedure to remember: run the tests before a merge.", "run the tests before a merge"],
    ["For the launch, remember this constraint: no downtime.", "no downtime"],
    ["Save this to memory: the office closes at six.", "the office closes at six"],
  ])("reads a wish to remember: %s", (text, what) => {
    expect(requestsIn(text).remember).toEqual([what]);
  });

  it.each([
    "Do you remember the name of that place?",
    "I remember when we met.",
    "Remember when we went to Rome?",
    "Remember to buy milk.",
    "Save this file as main.ts.",
    "What do you remember about me?",
  ])("reads no wish to remember: %s", (text) => {
    expect(requestsIn(text).remember).toEqual([]);
  });

  it.each([
    ["Forget my old address.", "my old address"],
    ["Please forget everything you know about my health.", "my health"],
    ["Forget and delete the staging branch: feature/x.", "the staging branch: feature/x"],
    ["Can you forget what I said about Bob?", "Bob"],
    ["Delete my phone number from your memory.", "my phone number"],
    ["Erase everything you know about Ann.", "Ann"],
    ["Remove the memory of our last trip.", "our last trip"],
  ])("reads a wish to forget: %s", (text, what) => {
    expect(requestsIn(text).forget).toEqual([what]);
  });

  it.each([
    "Forget it.",
    "I always forget my keys.",
    "Don't forget the milk.",
    "Did you forget the tests?",
    "Delete the file src/main.ts.",
    "Remove the unused imports from memory.ts.",
  ])("reads no wish to forget: %s", (text) => {
    expect(requestsIn(text).forget).toEqual([]);
  });

  it.each([
    "The code is 1234. Do not save or repeat it.",
    "Don't store this anywhere: I am looking for another job.",
    "Please don't remember this.",
    "This must not be stored.",
    "Off the record, the launch slips.",
    "Forget I said that my boss is leaving.",
  ])("reads that a text is not to be kept: %s", (text) => {
    expect(requestsIn(text).doNotStore).toBe(true);
  });

  it.each([
    "Don't save it to disk, keep it in Redis.",
    "Do not store this file in git.",
    "Never store repository secrets.",
    "Why did you not store it?",
    "I don't remember.",
    "Don't forget this.",
  ])("does not take it for a wish to keep nothing: %s", (text) => {
    expect(requestsIn(text).doNotStore).toBe(false);
  });

  it("reads standing rules on what is never kept", () => {
    expect(requestsIn("Memory policy: never store or echo customer passwords. Thanks.").rules).toEqual([
      "Memory policy: never store or echo customer passwords.",
    ]);
    expect(requestsIn("Never store the sum in a global.").rules).toEqual([]);
  });

  it.each([
    ["This temporary note has expired: parking in lot B.", "parking in lot B"],
    ["The discount code is no longer valid.", "The discount code"],
    ["Ignore what I said about the colour scheme.", "the colour scheme"],
  ])("reads what has expired: %s", (text, what) => {
    expect(requestsIn(text).expired).toEqual([what]);
  });
});
