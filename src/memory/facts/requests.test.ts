import { describe, expect, it } from "vitest";
import { requestsIn } from "./requests.js";

const read = (text: string): string[][] => requestsIn(text).map(({ kind, what }) => [kind, what]);

describe("requestsIn", () => {
  it.each([
    ["Forget my old address.", "my old address"],
    ["Please forget my old address, 12 Rue Bleue in Paris.", "my old address, 12 Rue Bleue in Paris"],
    ["Please forget everything you know about my health.", "my health"],
    ["Forget and delete the staging branch: feature/x.", "the staging branch: feature/x"],
    ["Can you forget what I said about Bob?", "Bob"],
    ["Delete my phone number from your memory.", "my phone number"],
    ["Erase everything you know about Ann.", "Ann"],
    ["Forget everything about Tom.", "Tom"],
    ["Remove the memory of our last trip.", "our last trip"],
    ["Please forget that my dog Rex is a poodle", "my dog Rex is a poodle"],
    ["Forget that the deploy port is 8080.", "the deploy port is 8080"],
  ])("reads a wish to forget: %s", (text, what) => {
    expect(read(text)).toEqual([["forget", what]]);
  });

  it.each([
    "Forget everything.",
    "Forget everything you know about me.",
    "Delete all my memories.",
    "Please erase all of your memories about me!",
    "Wipe your memory.",
    "Delete everything I told you.",
  ])("reads a wish to forget everything: %s", (text) => {
    expect(read(text)).toEqual([["forget-all", ""]]);
  });

  it.each([
    "Forget it.",
    "Forget the staging server, deploy to production instead.",
    "Forget about lunch with the team.",
    "Forget the milk order.",
    "Forget Rex.",
    "Forget that idea.",
    "Forget everything, let's start over.",
    "Forget everything about the old design.",
    "Forget the deploy notes; what is blue/green?",
    "I always forget my keys.",
    "Don't forget the milk.",
    "Did you forget the tests?",
    "Delete the file src/main.ts.",
    "Please remove the user cache from memory after each request.",
    "Clear the build step from the memory graph.",
    "Clear the memory of the process.",
    "Drop the build step from memory.md",
    "Remove the unused imports from memory.ts.",
  ])("takes it for talk: %s", (text) => {
    expect(read(text)).toEqual([]);
  });

  it.each([
    ["This temporary note has expired: parking in lot B.", "parking in lot B"],
    ["Ignore what I said about the colour scheme.", "the colour scheme"],
    ["What I told you about the parking lot is no longer true.", "the parking lot"],
    ["My note on the travel budget no longer holds.", "the travel budget"],
  ])("reads what has expired: %s", (text, what) => {
    expect(read(text)).toEqual([["expire", what]]);
  });

  it("reads that a thing has lapsed, which may or may not be said of a memory", () => {
    expect(read("The discount code is no longer valid.")).toEqual([["lapse", "The discount code"]]);
  });

  it.each([
    "The login page docs are outdated, please rewrite them.",
    "The API gateway is out of date.",
    "The auth service is no longer needed.",
    'The error is: "the API gateway is out of date". How do I fix it?',
    "The release branch is no longer needed once merged, right?",
  ])("takes the state of the work for no statement about the memory: %s", (text) => {
    expect(read(text)).toEqual([]);
  });

  it.each([
    "Forget my old address.",
    "Please forget my old address",
    "Can you forget what I said about Bob?",
    "Delete my phone number from your memory.",
    "Please forget that my dog Rex is a poodle",
    "Forget and delete the staging branch: feature/x.",
    "I\u2019d like you to forget my address",
    "  Unlearn my locker word.\n",
  ])("knows a message that is nothing but its request: %s", (text) => {
    expect(requestsIn(text)).toMatchObject([{ alone: true }]);
  });

  it.each([
    "I moved to Lyon. Please forget my old address.",
    "Forget my address. Forget my phone number.",
    "Forget my wife Anna, she can take the bus; book a taxi for me.",
    "Forget my home address for now and use the office one for this order.",
    "Translate this to German. Forget my address.",
    "Translate this to German:\nForget my address.",
    "Hi Ann,\nPlease forget that my address is 12 Elm Street.\nBob",
    "Bob answered \u201cNo way. Forget my address. Bye.\u201d",
    "- Forget my address.",
    "**Forget my address.**",
    "Forget my address (2009 Remaster)",
    "Forget my \u201caddress\u201d.",
    `Forget my address ${"at the very long street ".repeat(10)}`,
  ])("leaves open whose words it is that stands among others: %s", (text) => {
    expect(requestsIn(text).map(({ alone }) => alone)).not.toContain(true);
    expect(requestsIn(text).length).toBeGreaterThan(0);
  });

  it("says where the sentence stands that asks", () => {
    const text = "- I moved to Lyon.\n- Forget **my old address**. It’s gone.";
    const [request] = requestsIn(text);
    expect(text.slice(request!.start, request!.end)).toBe("Forget **my old address**.");
    expect(request!.what).toBe("my old address");
  });

  it.each([
    ["wishes", "please forget that it is is is and so, don't save or keep "],
    ["sentences", "Please forget my old address, do not store it, and and and. "],
    ["lines", "my note on what I said is no longer is no longer\n"],
  ])("takes little time for a megabyte of %s", (_, text) => {
    const start = process.cpuUsage();
    requestsIn(text.repeat(1_000_000 / text.length));
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_500);
  });
});
