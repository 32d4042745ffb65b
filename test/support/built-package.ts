import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SHARED_BUILD } from "./shared-build.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface BuiltPackage {
  readonly root: string;
  /** The program that `varve` starts. */
  readonly main: string;
  remove(): void;
}

/**
 * Compiles the source as a release would, laid out like the installed package. Whether the types are right is another
 * check's question: this one needs the program. All files of one run of the tests share one, made by the first to ask.
 */
export async function buildPackage(): Promise<BuiltPackage> {
  const shared = process.env[SHARED_BUILD];
  if (shared === undefined) return build(mkdtempSync(join(tmpdir(), "varve-built-")));
  const [folder, done] = [join(shared, "package"), join(shared, "done")];
  if (isFirst(folder)) {
    await build(folder).finally(() => writeFileSync(done, ""));
  }
  while (!existsSync(done)) await new Promise((resolve) => setTimeout(resolve, 50));
  return { root: folder, main: mainOf(folder), remove: () => undefined };
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

const mainOf = (folder: string): string => join(folder, "dist", "cli", "main.js");

async function build(folder: string): Promise<BuiltPackage> {
  copyFileSync(join(ROOT, "package.json"), join(folder, "package.json"));
  for (const name of ["node_modules", "assets"]) symlinkSync(join(ROOT, name), join(folder, name), "junction");
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const output = await run(compiler, ["-p", join(ROOT, "tsconfig.build.json"), "--outDir", join(folder, "dist")]);
  const main = mainOf(folder);
  if (!existsSync(main)) throw new Error(`The compiler wrote no ${main}:\n${output}`);
  return { root: folder, main, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function run(script: string, parameters: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...parameters], (_, stdout, stderr) => resolve(`${stdout}${stderr}`));
  });
}
