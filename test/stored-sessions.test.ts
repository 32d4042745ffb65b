/** Sessions that earlier versions have stored open and go on. The files are what version 0.1.0 wrote. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openVarve, violations } from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { PROVIDERS } from "../src/wire/legality/violations.js";

const STORED = fileURLToPath(new URL("stored/0.1.0", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "varve-stored-"));
  cpSync(STORED, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a session of 0.1.0 with cuts, a pin and a checkpoint is planned anew and goes on", async () => {
  const varve = await openVarve({ store: `file:${folder}` });
  const session = await varve.session("ann:coder:1");
  expect(session.status()).toMatchObject({
    budget: { window: 400 },
    strategy: "hierarchical",
    entries: 22,
    pins: ["e1"],
  });
  expect(session.receipts().map(({ id }) => id)).toEqual(["r1", "r2", "r3"]);
  const view = await session.view();
  expect(view.tokens).toBeLessThanOrEqual(view.budget.usable);
  expect(view.receipt?.id).toBe("r4");
  expect(view.messages.map(messageText)).toContain("Never touch the migrations. Fix src/retry.ts.");
  for (const provider of PROVIDERS) expect(violations(view.messages, provider)).toEqual([]);
  await session.append({ role: "user", content: "And now?" });
  const shown = (await session.view()).messages;
  await varve.close();

  const again = await openVarve({ store: `file:${folder}` });
  const reopened = await again.session("ann:coder:1");
  expect((await reopened.view()).messages).toEqual(shown);
  await reopened.restore("before the rest");
  expect((await reopened.view()).leftOut).toBe(0);
  expect((await reopened.expand("e21")).text).toContain("limit9");
  await again.close();
});
