// Packs the package as it would be published and checks what users would get: its files, its exports, its types.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const REQUIRED = [
  ...["dist/index.js", "dist/index.d.ts", "dist/testing/index.js", "dist/testing/index.d.ts", "dist/cli/main.js"],
  ...["assets/embedder.bin", "README.md", "CHANGELOG.md", "LICENSE"],
];
const UNWANTED = /\.(?:test|test-d|test-helpers)\.|\.tsbuildinfo$|^(?:src|test|bench|scripts)\//;

const options = { encoding: "utf8", shell: process.platform === "win32" };
const show = { ...options, stdio: ["ignore", "inherit", "inherit"] };

/** Packs into a folder what was built before: the output of a build would mix with the JSON. */
function pack(folder) {
  const json = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], options);
  const parsed = JSON.parse(json);
  const [packed] = Array.isArray(parsed) ? parsed : Object.values(parsed);
  return { tarball: join(folder, packed.filename), files: packed.files.map((file) => file.path) };
}

function checkFiles(files) {
  const problems = [
    ...REQUIRED.filter((path) => !files.includes(path)).map((path) => `${path} is missing from the package`),
    ...files.filter((path) => UNWANTED.test(path)).map((path) => `${path} does not belong in the package`),
  ];
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}

/** Runs a checker to its end and says whether it was content; its output is shown. */
function passes(program, parameters) {
  try {
    execFileSync(program, parameters, show);
    return true;
  } catch {
    console.error(`failed: ${[program, ...parameters].join(" ")}`);
    return false;
  }
}

function checkPackage(folder) {
  const { tarball, files } = pack(folder);
  const results = [
    checkFiles(files),
    passes("publint", ["run", tarball, "--strict"]),
    passes("attw", [tarball, "--profile", "esm-only", "--format", "ascii", "--no-emoji"]),
  ];
  return results.every(Boolean);
}

const folder = mkdtempSync(join(tmpdir(), "varve-package-"));
try {
  process.exitCode = passes("npm", ["run", "--silent", "build"]) && checkPackage(folder) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
