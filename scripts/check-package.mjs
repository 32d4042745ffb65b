// Packs the package as it would be published and checks what users would get: its files, its exports, its types.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const REQUIRED = [
  ...["dist/index.js", "dist/index.d.ts", "dist/testing/index.js", "dist/testing/index.d.ts", "dist/cli/main.js"],
  ...[
    "assets/embedder.bin",
    "assets/o200k.bin",
    "assets/cl100k.bin",
    "assets/LICENSE-MIT",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
  ],
];
const UNWANTED =
  /\.(?:test|test-d|test-helpers)\.|\.tsbuildinfo$|^(?:src|test|bench(?!\/STRATEGIES\.md$)|scripts)\/|^docs\/.*(?<!\.md)$/;

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

/** A project that uses the package without its optional peers and checks the types of its libraries as well. */
function checkTypes(folder, tarball) {
  const consumer = join(folder, "consumer");
  const modules = join(consumer, "node_modules");
  mkdirSync(join(modules, "varve"), { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", join(modules, "varve"), "--strip-components=1"], options);
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const name of [...Object.keys(dependencies), "@types/node"]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), join(modules, name), "junction");
  }
  const compilerOptions = { strict: true, skipLibCheck: false, module: "nodenext", target: "es2023", noEmit: true };
  const config = { compilerOptions: { ...compilerOptions, types: ["node"] }, files: ["index.ts"] };
  writeFileSync(join(consumer, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(join(consumer, "index.ts"), 'export * from "varve";\nexport * as testing from "varve/testing";\n');
  return passes("tsc", ["-p", consumer]);
}

function checkPackage(folder) {
  const { tarball, files } = pack(folder);
  const results = [
    checkFiles(files),
    passes("publint", ["run", tarball, "--strict"]),
    passes("attw", [tarball, "--profile", "esm-only", "--format", "ascii", "--no-emoji"]),
    checkTypes(folder, tarball),
  ];
  return results.every(Boolean);
}

const folder = mkdtempSync(join(tmpdir(), "varve-package-"));
try {
  process.exitCode = passes("npm", ["run", "--silent", "build"]) && checkPackage(folder) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
