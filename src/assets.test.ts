import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAsset } from "./assets.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "varve-assets-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const HINT = "Install the package again; a bundler must leave varve outside of its bundle";

/** The module as a bundler leaves it behind: what it knows of its own address is put in its place. */
async function bundled(address: string): Promise<typeof import("./assets.js")> {
  const source = readFileSync(new URL("./assets.ts", import.meta.url), "utf8");
  const errors = new URL("./errors.ts", import.meta.url).href;
  const file = join(folder, "assets.ts");
  writeFileSync(file, source.replace("import.meta.url", address).replace('"./errors.js"', JSON.stringify(errors)));
  return import(pathToFileURL(file).href);
}

describe("a file of the package's own", () => {
  it("is read from the folder beside the code", () => {
    expect(new TextDecoder().decode(readAsset("varve.schema.json"))).toContain("$schema");
  });

  it.each([
    ["in CommonJS, where modules have no address", "({} as { url: string }).url"],
    ["in ESM, where the address is the bundle's", '"file:///nowhere/bundle.js"'],
  ])("is missed with a hint by a bundle %s", async (_, address) => {
    const { readAsset: readBundled } = await bundled(address);
    expect(() => readBundled("o200k.bin")).toThrow(
      expect.objectContaining({ code: "not-found", hint: expect.stringContaining(HINT) }),
    );
  });
});
