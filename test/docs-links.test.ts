/** Whoever reads the documentation in an installed package finds what it links to. */
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** npm packs these whatever "files" says. */
const ALWAYS = ["README.md", "LICENSE"];

const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { files: string[] };
const PACKED = [...ALWAYS, ...files.filter((pattern) => !pattern.startsWith("!"))]
  .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .map((path) => path.replaceAll("\\", "/"));
const PAGES = PACKED.filter((path) => path.endsWith(".md"));

function linksOf(page: string): string[] {
  const text = readFileSync(join(ROOT, page), "utf8").replace(/^```[\s\S]*?^```/gm, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!.replace(/#.*$/, ""));
  return links.filter((link) => link !== "" && !/^[a-z]+:/.test(link));
}

test("the pages of the documentation are in the package, and nothing else of their folder", () => {
  expect(PAGES).toEqual(expect.arrayContaining(globSync("docs/*.md", { cwd: ROOT })));
  expect(PACKED.filter((path) => path.startsWith("docs") && !path.endsWith(".md"))).toEqual([]);
});

test.each(PAGES)("%s links to files of the package", (page) => {
  for (const link of linksOf(page)) {
    const path = normalize(join(dirname(page), link)).replaceAll("\\", "/");
    expect(existsSync(join(ROOT, path)), `${path} is there`).toBe(true);
    expect(
      PACKED.some((each) => each === path || (isFolder(each) && path.startsWith(`${each}/`))),
      `${path} is in the package`,
    ).toBe(true);
  }
});

const isFolder = (path: string): boolean => statSync(join(ROOT, path)).isDirectory();
