import { execFile } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BuiltPackage, buildPackage } from "./support/built-package.js";
import { hasPostgres, type PostgresServer, startPostgres } from "./support/postgres.js";

const run = promisify(execFile);

/** Every TypeScript fence of a page, as one program: later fences may use what earlier ones declared. */
function programOf(page: string): string | undefined {
  const fences = [...readFileSync(page, "utf8").matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => match[1]!);
  if (fences.length === 0) return undefined;
  const imports = new Map<string, Set<string>>();
  for (const [, names, source] of fences.join("").matchAll(/^import \{([^}]*)\} from "([^"]+)";$/gm)) {
    const known = imports.get(source!) ?? new Set<string>();
    for (const name of names!.split(",")) known.add(name.trim());
    imports.set(source!, known);
  }
  const lines = [...imports].map(
    ([source, names]) => `import { ${[...names].filter(Boolean).join(", ")} } from "${source}";`,
  );
  const bodies = fences.map((fence) => `await (async () => {\n${fence.replace(/^import .*$/gm, "")}\n})();`);
  return `${lines.join("\n")}\n${bodies.join("\n")}\n`;
}

describe("the code in the documentation", () => {
  const pages = ["README.md", ...globSync("docs/**/*.md")].filter((page) => programOf(page) !== undefined);
  const wantServer = hasPostgres() && pages.some((page) => programOf(page)!.includes("DATABASE_URL"));

  let built: BuiltPackage;
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    built = await buildPackage();
    if (wantServer) server = await startPostgres();
  }, 120_000);
  afterAll(async () => {
    built.remove();
    await server?.stop();
  });

  it.each(pages)("%s runs as it stands", async (page) => {
    const file = join(built.root, `${page.replaceAll(/\W/g, "-")}.mts`);
    writeFileSync(file, programOf(page)!);
    const env = { ...process.env, ...(server && { DATABASE_URL: server.url() }) };
    const { stderr } = await run(process.execPath, ["--disable-warning=ExperimentalWarning", file], {
      env,
      cwd: built.root,
    });
    expect(stderr).toBe("");
  });

  it("has the right types, also where indexed access is checked", async () => {
    const folder = join(built.root, "typed");
    mkdirSync(folder);
    for (const page of pages) writeFileSync(join(folder, `${page.replaceAll(/\W/g, "-")}.mts`), programOf(page)!);
    const options = {
      strict: true,
      noUncheckedIndexedAccess: true,
      module: "nodenext",
      target: "es2023",
      noEmit: true,
    };
    const compilerOptions = { ...options, types: ["node"], skipLibCheck: true };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    const compiler = join(built.root, "node_modules", "typescript", "bin", "tsc");
    const faults = await run(process.execPath, [compiler, "-p", folder], { cwd: built.root }).then(
      () => "",
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(faults).toBe("");
  });
});
