/** Must run on any Node that knows modules: it tells those that are too old. */
const LEAST = [22, 13] as const;

/**
 * What to say to a Node that varve does not run on; undefined where all is well.
 *
 * @example
 * ```ts
 * unsupportedNode("24.9.0"); // undefined
 * ```
 */
export function unsupportedNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return undefined;
  const least = LEAST.join(".");
  return [
    `varve needs Node ${least} or later; this is Node ${version}.`,
    `What to do: install a newer Node from https://nodejs.org or with a version manager (nvm install ${LEAST[0]}, fnm install ${LEAST[0]}).`,
    "Inside varve's own repository, `npm install && npm start` brings its own Node.",
  ].join("\n");
}
