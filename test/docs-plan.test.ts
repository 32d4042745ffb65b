import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openVarve, render } from "../src/index.js";
import { Log } from "../src/message/log.js";
import { says, user } from "./support/build.js";

const PAGE = fileURLToPath(new URL("../docs/views.md", import.meta.url));
const [START, END] = ["<!-- plan -->", "<!-- /plan -->"];

/** The page as it should be is a snapshot of itself: `npx vitest run test/docs-plan.test.ts --update` writes the plan into it. */
test("the plan in the documentation is the one that the code makes, and renders the same from JSON", async () => {
  const session = await (await openVarve()).session("s", { window: 600 });
  await session.append(user("Never touch the migrations."));
  for (let step = 0; step < 12; step++)
    await session.append([
      user(`Look at file ${step}.`),
      says(`src/file${step}.ts exports nothing of note. `.repeat(5)),
    ]);
  session.pin("e0");
  const { plan, messages } = await session.view({ system: "You are a careful engineer." });
  const page = readFileSync(PAGE, "utf8");
  const [before, rest] = page.split(START);
  const [shown, after] = rest!.split(END);
  const lines = plan.items.map((item) => JSON.stringify(item)).join("\n");
  const printed = shown!.replace(/```text\n[\s\S]*?```/, () => `\`\`\`text\n${lines}\n\`\`\``);
  await expect(`${before}${START}${printed}${END}${after}`).toMatchFileSnapshot(PAGE);
  const log = new Log();
  log.append(session.entries());
  expect(render(JSON.parse(JSON.stringify(plan)), log)).toEqual(messages);
});
