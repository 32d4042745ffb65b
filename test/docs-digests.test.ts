import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { digestSection } from "./support/digests.js";

const PAGE = fileURLToPath(new URL("../docs/strategies.md", import.meta.url));
const [START, END] = ["<!-- digests: npm run docs:digests -->", "<!-- /digests -->"];

/** The page as it should be is a snapshot of itself: updating snapshots writes the digests into it. */
test("the digests in the documentation are those that the code makes", async () => {
  const page = readFileSync(PAGE, "utf8");
  const [before, rest] = page.split(START);
  const [, after] = rest?.split(END) ?? [];
  expect(after, `${PAGE} has the marks ${START} and ${END}`).toBeDefined();
  await expect(`${before}${START}\n\n${await digestSection()}\n\n${END}${after}`).toMatchFileSnapshot(PAGE);
});
