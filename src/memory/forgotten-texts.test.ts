import { expect, it } from "vitest";
import { cpuTime } from "../../test/support/cpu-time.js";
import { ForgottenTexts } from "./forgotten-texts.js";

it("knows a text with much white space inside again, in time that grows with its length alone", async () => {
  const long = `« the word is${" ".repeat(200_000)}zanzibar. »`;
  const taken = await cpuTime(() => {
    expect(new ForgottenTexts([long]).without("So The word is zanzibar, then", "[gone]")).toBe("So [gone], then");
  });
  expect(taken).toBeLessThan(2_000);
});
