import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { says, user, words } from "../../test/support/build.js";
import { messageText } from "../message/content.js";
import { memoryStore } from "../store/drivers/memory.js";
import type { Store } from "../store/store.js";
import { openVarve } from "./open-varve.js";

const folder = mkdtempSync(join(tmpdir(), "varve-recall-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a session that only a document or a snapshot knows", () => {
  it("is taken over once by two processes that open it at once from a document", async () => {
    const known = await (await openVarve()).session("s", { window: 5_000 });
    await known.append([user("a"), says("b")]);
    known.track({ facts: ["known"] });
    const document = known.context();
    const store: Store = { ...memoryStore(), readContext: async () => document };
    const [one, two] = await openTwice(store);
    one!.track({ facts: ["since"] });
    await one!.flush();
    await two!.append(user("c"));
    await one!.refresh();
    for (const session of [one!, two!]) {
      expect(session.entries().map(({ message }) => messageText(message))).toEqual(["a", "b", "c"]);
      expect(session.context().facts).toEqual(["known", "since"]);
    }
  });

  it("is taken over once by two processes that open it at once from a snapshot", async () => {
    const snapshots = { folder: join(folder, "twice"), every: 1 };
    const first = await openVarve({ snapshots });
    await (await first.session("s", { window: 5_000 })).append([user("a"), says("b")]);
    await first.close();
    const [one, two] = await openTwice(memoryStore(), snapshots);
    await two!.append(user("c"));
    await one!.refresh();
    expect(one!.entries().map(({ message }) => messageText(message))).toEqual(["a", "b", "c"]);
  });

  it("has one summary, of a bounded size, however often it is restarted from snapshots", async () => {
    const snapshots = { folder: join(folder, "often"), every: 5 };
    for (let run = 0; run < 5; run++) {
      const varve = await openVarve({ snapshots });
      const session = await varve.session("s", { window: 1_500, strategy: "hierarchical" });
      const recalled = session.entries().filter(({ role }) => role === "system");
      expect(recalled).toHaveLength(run === 0 ? 0 : 1);
      for (const { message } of recalled) expect(messageText(message).length).toBeLessThan(5_000);
      if (run > 1) expect(messageText(recalled[0]!.message)).toContain("Before that: ");
      for (let turn = 0; turn < 25; turn++) {
        await session.append([
          user(`run ${run} asks ${turn} of /src/f${run}_${turn}.ts ${words(30)}`),
          says(words(30)),
        ]);
        await session.view();
      }
      await varve.close();
    }
  });
});

/** Two processes whose first reads of the store both find nothing. */
const openTwice = async (store: Store, snapshots?: { folder: string; every: number }) =>
  Promise.all(
    [1, 2].map(async () => {
      const varve = await openVarve({ store, ...(snapshots && { snapshots }) });
      return varve.session("s", { window: 5_000 });
    }),
  );
