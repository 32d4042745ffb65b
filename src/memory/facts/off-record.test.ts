import { describe, expect, it } from "vitest";
import { keptOf } from "./off-record.js";

describe("keptOf", () => {
  it.each([
    "The code is 1234. Do not save or repeat it.",
    "Don't store this anywhere: I am looking for another job.",
    "Please don't remember this.",
    "I see a doctor on Monday. I live in Lyon. Please do not save this message.",
    "Do not save this. I see a doctor on Monday. I live in Lyon.",
    "This must not be stored.",
    "Off the record, the launch slips. Nobody knows.",
    "Forget I said that my boss is leaving.",
  ])("keeps nothing of %s", (text) => {
    expect(keptOf(text)).toBe("");
  });

  it.each([
    ["I live in Lyon. The pin is 4711. Do not save it. I work at Acme.", "I live in Lyon. I work at Acme."],
    ["I use vim.\nMy code is 4711, so don't store it.", "I use vim."],
  ])("leaves the sentence out that is not to be kept, and the one before: %s", (text, kept) => {
    expect(keptOf(text)).toBe(kept);
  });

  it.each([
    "The cache must not keep it. I work at Acme and live in Lyon.",
    "The handler should never log it, because of GDPR. My employer is Acme.",
    "We need to make sure that clients do not persist them. I use vim.",
    "When writing the parser, you should not store this.",
    "It must not be stored in plain text.",
    "Don't save it to disk, keep it in Redis.",
    "Do not store this file in git.",
    "Never store repository secrets.",
    "Why did you not store it?",
    "I don't remember.",
    "Don't forget this.",
  ])("takes it for talk: %s", (text) => {
    expect(keptOf(text)).toBe(text);
  });

  it.each([
    ["wishes", "please forget that it is is is and so, don't save or keep "],
    ["sentences", "Please forget my old address, do not store it, and and and. "],
    ["lines", "my note on what I said is no longer is no longer\n"],
  ])("takes little time for a megabyte of %s", (_, text) => {
    const start = process.cpuUsage();
    keptOf(text.repeat(1_000_000 / text.length));
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_500);
  });
});
