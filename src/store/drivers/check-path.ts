import { existsSync } from "node:fs";
import { invalidOption } from "../../errors.js";

/** Refuses what is no path, before anything is opened or made. */
export function checkPath(option: "path" | "folder", path: unknown): string {
  if (typeof path === "string" && path !== "" && !path.includes("\0")) return path;
  const example = option === "path" ? '"./varve.db"' : '"./data/context"';
  throw invalidOption({ option, value: path, allowed: `a path, such as ${example}` });
}

/** Milliseconds to wait for other writers. */
export function checkTimeout(timeout: unknown): number {
  if (typeof timeout === "number" && timeout >= 0) return timeout;
  throw invalidOption({ option: "timeout", value: timeout, allowed: "milliseconds from 0" });
}

/** Refuses to write a copy over something. */
export function checkTarget(target: unknown): void {
  if (typeof target === "string" && target !== "" && !target.includes("\0") && !existsSync(target)) return;
  throw invalidOption({ option: "target", value: target, allowed: "a path where there is nothing yet" });
}
