/**
 * HTML is mostly not content: scripts, styles, wrappers. It is read as the text a reader would see, with headings,
 * list items, links, images and form fields kept recognisable. Each construct is found by one forward search.
 */
export const MARKUP_START = /^\s*(?:<!doctype html|<html\b|<\?xml\b|<!--|<svg\b|<[a-z][\w:-]*[\s>])/i;
export const HTML_SIGN = /<(?:html|body|div|head|table|p|ul|span|a)\b/i;

const HIDDEN = new Set(["script", "style", "svg", "noscript", "template", "head"]);
const BLOCK =
  /^\/?(?:p|div|section|article|header|footer|main|nav|ul|ol|li|table|tr|h[1-6]|form|br|hr|pre|blockquote|dl|dt|dd|title|body|option|label|button|input|select|textarea|img|iframe)$/;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  apos: "'",
  nbsp: " ",
};

/** The visible text of an HTML page, one block a line. */
export function htmlToText(html: string): string {
  const lower = html.toLowerCase();
  const lines: string[] = [];
  let line = "";
  let href = "";
  const flush = () => {
    const tidy = line.replace(/\s+/g, " ").trim();
    if (/[^\s#|-]/.test(tidy)) lines.push(tidy);
    line = "";
  };
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf("<", at);
    line += decodeEntities(html.slice(at, open < 0 ? html.length : open));
    if (open < 0) break;
    const tag = readTag(html, lower, open);
    if (BLOCK.test(tag.name)) flush();
    if (tag.href !== undefined) href = tag.href;
    line += tag.name === "/a" && href !== "" ? `](${href})` : tag.shown;
    if (tag.name === "/a") href = "";
    at = tag.end;
  }
  flush();
  return lines.join("\n");
}

interface Tag {
  readonly name: string;
  readonly shown: string;
  /** Where a link leads. */
  readonly href?: string;
  /** Index after the tag, or after all that it hides. */
  readonly end: number;
}

function readTag(html: string, lower: string, open: number): Tag {
  if (html.startsWith("<!--", open)) return { name: "", shown: "", end: after(html, "-->", open) };
  const end = after(html, ">", open);
  const name = /^\/?[a-z][a-z0-9]*/.exec(lower.slice(open + 1, open + 24))?.[0] ?? "";
  if (name === "")
    return { name, shown: html[open + 1] === "!" ? "" : "<", end: html[open + 1] === "!" ? end : open + 1 };
  if (HIDDEN.has(name) && html[end - 2] !== "/") return hiddenTag(name, lower, end);
  const tag = html.slice(open, Math.min(end, open + 2_000));
  if (name !== "a") return { name, shown: shownTag(name, tag), end };
  const href = linkTarget(attribute(tag, "href"));
  return { name, shown: href === "" ? " " : " [", href, end };
}

/** The title is the one part of the head that readers see. */
function hiddenTag(name: string, lower: string, end: number): Tag {
  if (name === "head") return { name, shown: "", end };
  return { name, shown: " ", end: after(lower, ">", after(lower, `</${name}`, end)) };
}

function after(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at + sign.length;
}

function shownTag(name: string, tag: string): string {
  const level = /^h([1-6])$/.exec(name)?.[1];
  if (level !== undefined) return `${"#".repeat(Number(level))} `;
  if (name === "title") return "# ";
  if (name === "li") return "- ";
  if (name === "td" || name === "th") return " | ";
  if (name === "img") return `[image ${attribute(tag, "alt")}]`;
  return /^(?:input|select|textarea|button|form|iframe)$/.test(name) ? fieldMark(name, tag) : " ";
}

function linkTarget(href: string): string {
  return href.startsWith("#") || href.startsWith("javascript:") ? "" : href.slice(0, 120);
}

function fieldMark(name: string, tag: string): string {
  const parts = ["id", "name", "type", "action", "value", "placeholder", "src"].map(
    (key) => [key, attribute(tag, key)] as const,
  );
  const shown = parts.filter(([, value]) => value !== "").map(([key, value]) => `${key}=${value.slice(0, 60)}`);
  return ` [${[name, ...shown].join(" ")}] `;
}

function attribute(tag: string, key: string): string {
  const found = new RegExp(`\\s${key}\\s?=\\s?(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, "i").exec(tag);
  return decodeEntities(found?.[1] ?? found?.[2] ?? found?.[3] ?? "");
}

function decodeEntities(text: string): string {
  return text.includes("&") ? text.replace(/&(#?\w{2,6});/g, (whole, name: string) => ENTITIES[name] ?? whole) : text;
}

/** XML written without line breaks, one element a line. */
export function breakElements(xml: string): string {
  return xml.replaceAll("><", ">\n<");
}
