import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openVarve } from "../src/index.js";
import { user, words } from "./support/build.js";
import { mountDisk } from "./support/small-disk.js";

const disk = mountDisk(2_048);
afterAll(() => disk?.remove());
const reason = "a small disk can only be mounted by an administrator on Linux";

describe.skipIf(disk === undefined)(`a disk that does not take more (skipped where ${reason})`, () => {
  const addresses = [
    ["file", (place: string) => `file:${join(disk!.path, place)}`],
    ["sqlite", (place: string) => `sqlite:${join(disk!.path, place, "varve.db")}`],
  ] as const;

  test.each(addresses)(
    "that is full: the store %s says so, loses nothing, and goes on when there is room",
    async (name, addressOf) => {
      const filler = join(disk!.path, "filler");
      writeFileSync(filler, Buffer.alloc(1_024 * 1_024));
      const place = `full-${name}`;
      const varve = await openVarve({ store: addressOf(place) });
      const session = await varve.session("s", { window: 8_000 });
      const said: string[] = [];
      const say = async (text: string) => {
        await session.append(user(text));
        said.push(text);
      };
      const failure = await (async () => {
        for (let at = 0; at < 10_000; at++) await say(`${at} ${words(900)}`);
      })().catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: "store-full", retryable: true, hint: expect.any(String) });
      expect(said.length).toBeGreaterThan(20);
      await expect(session.append(user(words(900)))).rejects.toMatchObject({ code: "store-full" });
      const contents = () => session.entries().map(({ message }) => message.content);
      expect(contents()).toEqual(said);
      rmSync(filler);
      await say(`after ${words(900)}`);
      await varve.close();
      const second = await openVarve({ store: addressOf(place) });
      const again = await second.session("s");
      expect(again.entries().map(({ message }) => message.content)).toEqual(said);
      await second.close();
      rmSync(join(disk!.path, place), { recursive: true });
    },
  );

  test.each(addresses)(
    "that is read-only: the store %s says so, and has everything when it can be written again",
    async (name, addressOf) => {
      const address = addressOf(`read-only-${name}`);
      const varve = await openVarve({ store: address });
      await (await varve.session("s", { window: 8_000 })).append(user("kept"));
      await varve.close();
      disk!.setReadOnly(true);
      try {
        const append = async () => {
          const readOnly = await openVarve({ store: address });
          return (await readOnly.session("s", { window: 8_000 })).append(user("more"));
        };
        await expect(append()).rejects.toMatchObject({ code: "store-read-only", hint: expect.any(String) });
      } finally {
        disk!.setReadOnly(false);
      }
      const writable = await openVarve({ store: address });
      const session = await writable.session("s");
      await session.append(user("more"));
      expect(session.entries().map(({ message }) => message.content)).toEqual(["kept", "more"]);
      await writable.close();
    },
  );
});
