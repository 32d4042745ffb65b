import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface BuiltPackage {
  readonly root: string;
  /** The program that `varve` starts. */
  readonly main: string;
  remove(): void;
}

/**
 * Compiles the source as a release would, into a folder of its own, laid out like the installed package. Whether the
 * types are right is another check's question: this one needs the program.
 */
export async function buildPackage(): Promise<BuiltPackage> {
  const folder = mkdtempSync(join(tmpdir(), "varve-built-"));
  copyFileSync(join(ROOT, "package.json"), join(folder, "package.json"));
  for (const name of ["node_modules", "assets"]) symlinkSync(join(ROOT, name), join(folder, name), "junction");
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const output = await run(compiler, ["-p", join(ROOT, "tsconfig.build.json"), "--outDir", join(folder, "dist")]);
  const main = join(folder, "dist", "cli", "main.js");
  if (!existsSync(main)) throw new Error(`The compiler wrote no ${main}:\n${output}`);
  return { root: folder, main, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function run(script: string, parameters: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...parameters], (_, stdout, stderr) => resolve(`${stdout}${stderr}`));
  });
}
