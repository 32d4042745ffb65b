import { execFile } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BuiltPackage, buildPackage } from "./support/built-package.js";

const run = promisify(execFile);

/** Every TypeScript fence of a page, as one program: later fences may use what earlier ones declared. */
function programOf(page: string): string | undefined {
  const fences = [...readFileSync(page, "utf8").matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => match[1]!);
  if (fences.length === 0) return undefined;
  const imported = fences.flatMap((fence) =>
    [...fence.matchAll(/^import \{([^}]*)\} from "varve";$/gm)].flatMap((match) => match[1]!.split(",")),
  );
  const names = [...new Set(imported.map((name) => name.trim()).filter(Boolean))];
  const bodies = fences.map((fence) => `await (async () => {\n${fence.replace(/^import .*$/gm, "")}\n})();`);
  return `import { ${names.join(", ")} } from "varve";\n${bodies.join("\n")}\n`;
}

describe("the code in the documentation", () => {
  let built: BuiltPackage;
  beforeAll(async () => {
    built = await buildPackage();
  }, 120_000);
  afterAll(() => built.remove());

  const pages = ["README.md", ...globSync("docs/**/*.md")].filter((page) => programOf(page) !== undefined);
  it.each(pages)("%s runs as it stands", async (page) => {
    const file = join(built.root, `${page.replaceAll(/\W/g, "-")}.mts`);
    writeFileSync(file, programOf(page)!);
    const { stderr } = await run(process.execPath, ["--disable-warning=ExperimentalWarning", file]);
    expect(stderr).toBe("");
  });
});
