import { type HtmlTag, isHidden, tagReader } from "./html-tags.js";

const BLOCK =
  /^\/?(?:p|div|section|article|header|footer|main|nav|ul|ol|li|table|tr|h[1-6]|form|br|hr|pre|blockquote|dl|dt|dd|title|body|option|label|button|input|select|textarea|img|iframe)$/;
const FIELD = /^(?:input|select|textarea|button|form|iframe)$/;
const LONGEST_TAG = 2_000;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  apos: "'",
  nbsp: " ",
};

/**
 * HTML is mostly not content: scripts, styles, wrappers. It is read as the text a reader would see, one block a line,
 * with headings, list items, links, images and form fields kept recognisable.
 */
export function htmlToText(html: string): string {
  const readTag = tagReader(html);
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
    const tag = readTag(open);
    if (tag !== undefined && BLOCK.test(tag.name)) flush();
    if (tag?.name === "a") href = linkTarget(html.slice(open, Math.min(tag.end, open + LONGEST_TAG)));
    line += tag === undefined ? "<" : shownTag(tag, html.slice(open, Math.min(tag.end, open + LONGEST_TAG)), href);
    if (tag?.name === "/a") href = "";
    at = tag?.end ?? open + 1;
  }
  flush();
  return lines.join("\n");
}

function shownTag({ name }: HtmlTag, tag: string, href: string): string {
  if (name === "" || name === "head") return "";
  if (isHidden(name)) return " ";
  if (name === "a") return href === "" ? " " : " [";
  if (name === "/a" && href !== "") return `](${href})`;
  const level = /^h([1-6])$/.exec(name)?.[1];
  if (level !== undefined) return `${"#".repeat(Number(level))} `;
  if (name === "title") return "# ";
  if (name === "li") return "- ";
  if (name === "td" || name === "th") return " | ";
  if (name === "img") return `[image ${attribute(tag, "alt")}]`;
  return FIELD.test(name) ? fieldMark(name, tag) : " ";
}

/** Where a link leads, if it leads out of the page. */
function linkTarget(tag: string): string {
  const href = attribute(tag, "href");
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
