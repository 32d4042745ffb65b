import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk of its own, of so many kilobytes. */
export interface SmallDisk {
  readonly path: string;
  /** Makes it read-only, or writable again; no file on it may be open. */
  setReadOnly(isReadOnly: boolean): void;
  remove(): void;
}

/** Undefined where this user may not mount one. */
export function mountDisk(kilobytes: number): SmallDisk | undefined {
  if (process.platform !== "linux") return undefined;
  const path = mkdtempSync(join(tmpdir(), "varve-disk-"));
  const run = (command: string, ...parameters: string[]) =>
    execFileSync(command, parameters, { stdio: ["ignore", "ignore", "ignore"] });
  try {
    run("mount", "-t", "tmpfs", "-o", `size=${kilobytes}k,mode=700`, "tmpfs", path);
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
  return {
    path,
    setReadOnly: (isReadOnly) => run("mount", "-o", `remount,${isReadOnly ? "ro" : "rw"}`, path),
    remove: () => {
      run("umount", "-l", path);
      rmSync(path, { recursive: true });
    },
  };
}
