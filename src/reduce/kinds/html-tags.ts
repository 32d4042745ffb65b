/** Finds the tags of an HTML text. A sign that was once not found ahead is not looked for again: reading stays linear. */
export interface HtmlTag {
  /** In lower case; with a slash in front for an end tag, empty for a comment or a declaration. */
  readonly name: string;
  /** Index after the tag, or after all that it hides. */
  readonly end: number;
  /** Range of what the tag hides. */
  readonly hidden?: readonly [start: number, end: number];
}

const NAME = /\/?[a-z][a-z0-9:-]*/iy;
const END_TAGS: ReadonlyMap<string, RegExp> = new Map(
  ["script", "style", "svg", "noscript", "template"].map((name) => [name, new RegExp(`</${name}(?=[\\s/>])`, "gi")]),
);

/** Whether nothing that stands in such an element is seen by a reader. */
export function isHidden(name: string): boolean {
  return END_TAGS.has(name);
}

/** Reads the tag that opens at an index; undefined where the sign `<` opens none, or one that never closes. */
export function tagReader(html: string): (open: number) => HtmlTag | undefined {
  const absent = new Set<string | RegExp>();
  const after = (sign: string | RegExp, from: number): number | undefined => {
    if (absent.has(sign)) return undefined;
    const end = typeof sign === "string" ? afterText(html, sign, from) : afterPattern(html, sign, from);
    if (end === undefined) absent.add(sign);
    return end;
  };
  return (open) => {
    if (html.startsWith("<!--", open)) return { name: "", end: after("-->", open + 4) ?? open + 4 };
    const name = html[open + 1] === "!" ? "" : nameAt(html, open + 1);
    if (name === undefined) return undefined;
    const end = after(">", open);
    if (end === undefined) return undefined;
    const sign = html[end - 2] === "/" ? undefined : END_TAGS.get(name);
    const close = sign === undefined ? undefined : after(sign, end);
    // An element that is never closed hides nothing but its tag.
    if (close === undefined) return { name, end };
    return { name, end: after(">", close) ?? close, hidden: [end, html.lastIndexOf("<", close)] };
  };
}

function nameAt(html: string, at: number): string | undefined {
  NAME.lastIndex = at;
  return NAME.exec(html)?.[0].toLowerCase();
}

function afterText(text: string, sign: string, from: number): number | undefined {
  const at = text.indexOf(sign, from);
  return at < 0 ? undefined : at + sign.length;
}

function afterPattern(text: string, pattern: RegExp, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
