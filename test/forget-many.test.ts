import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openVarve } from "../src/index.js";
import { cpuTime } from "./support/cpu-time.js";

const folder = mkdtempSync(join(tmpdir(), "varve-many-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORDS = "river stone lamp cloud table garden window paper market silver winter engine bottle forest mirror".split(
  " ",
);
const noteOf = (at: number) => ({
  content: `Note ${at} of ${WORDS[at % 15]} ${WORDS[(7 * at) % 13]} ${(at * 7919).toString(36)} number ${at * 31}`,
});

test.each(["memory", `sqlite:${join(folder, "a.db")}`, `file:${join(folder, "files")}`])(
  "forgetting all costs about what storing it did: %s",
  async (store) => {
    const varve = await openVarve({ store });
    const [ann, ben] = ["ann", "ben"].map((user) => varve.memory({ scope: { user } }));
    await ben!.store("The gate opens with a river stone");
    const notes = Array.from({ length: 6_000 }, (_, at) => noteOf(at));
    const storing = await cpuTime(() => ann!.storeMany(notes));
    const forgetting = await cpuTime(async () => expect((await ann!.forgetAll()).forgotten).toHaveLength(6_000));
    expect(forgetting).toBeLessThan(2.5 * storing);
    expect(await ann!.retrieve("river stone")).toEqual([]);
    expect(await ben!.retrieve("river stone")).toHaveLength(1);
    expect(await ben!.audit()).toMatchObject({ leftovers: 0 });
    await varve.close();
  },
  120_000,
);
