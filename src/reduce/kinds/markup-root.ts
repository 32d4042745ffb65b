/** What a text opens with, if it is markup. */
export interface Markup {
  readonly kind: "html" | "xml";
  /** Declares itself, and is followed by nothing else; else it only begins with an element. */
  readonly sure: boolean;
}

/** What may stand before the first element: space, comments, and the declaration of XML with its instructions. */
const BEFORE_ROOT = /\s+|<!--|<\?xml\b/iy;
const ROOT = /<(!doctype\s+)?([a-z][\w:.-]*)(?=[\s>/])/iy;
const ELEMENT = /<!--|<!\[CDATA\[|<([a-z][\w:.-]*)(?=[\s>/])/gi;
const HTML_ELEMENT =
  /^(?:html|body|head|div|p|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|td|th|caption|span|a|h[1-6]|nav|main|header|footer|aside|section|article|figure|form|fieldset|button|input|label|select|option|textarea|img|br|hr|pre|blockquote|strong|em|b|i|u|small|sup|sub|code|center|font|script|style|svg|path|meta|link|title|iframe|video|picture|source)$/i;
/** Components in one file, and pages of scripts alone, begin so: read as a page nothing of them would be left. */
const NO_ROOT = /^(?:script|style|svg|path|meta|link|title|source|code|caption)$/i;
const LOOKED_AT = 20_000;
const HTML_SHARE = 0.6;
/** Characters that may follow a page, such as the remark of a server. */
const LONGEST_REST = 120;

/**
 * Sorts a text that begins as markup does. XML may hold tags of HTML in comments, in CDATA and in its own vocabulary:
 * only what declares itself as HTML, or has mostly its elements from the first on, is HTML.
 */
export function findMarkup(text: string): Markup | undefined {
  const head = text.slice(0, LOOKED_AT);
  const { at, declared } = skipProlog(head);
  ROOT.lastIndex = at;
  const root = ROOT.exec(head);
  const name = root?.[2]?.toLowerCase();
  if (name === "html") return { kind: "html", sure: endsAsPage(text) };
  if (declared || root?.[1] !== undefined) return { kind: "xml", sure: true };
  if (name === undefined) return undefined;
  const page = HTML_ELEMENT.test(name) && !NO_ROOT.test(name) && htmlShare(head.slice(at)) >= HTML_SHARE;
  return { kind: page ? "html" : "xml", sure: false };
}

/** Whether hardly anything follows the end of the last page. */
function endsAsPage(text: string): boolean {
  const end = Math.max(text.lastIndexOf("</html>"), text.lastIndexOf("</HTML>"));
  return end < 0 || text.slice(end + "</html>".length).trim().length <= LONGEST_REST;
}

function skipProlog(head: string): { readonly at: number; readonly declared: boolean } {
  let at = 0;
  let declared = false;
  for (;;) {
    BEFORE_ROOT.lastIndex = at;
    const sign = BEFORE_ROOT.exec(head)?.[0];
    if (sign === undefined) return { at, declared };
    if (sign.startsWith("<?")) declared = true;
    if (sign.startsWith("<")) at = endOf(head, sign.startsWith("<?") ? "?>" : "-->", BEFORE_ROOT.lastIndex);
    else at = BEFORE_ROOT.lastIndex;
  }
}

/** Share of the elements of HTML among those that open, apart from what stands in comments and CDATA. */
function htmlShare(head: string): number {
  let elements = 0;
  let known = 0;
  ELEMENT.lastIndex = 0;
  for (let found = ELEMENT.exec(head); found !== null; found = ELEMENT.exec(head)) {
    const name = found[1];
    if (name === undefined) ELEMENT.lastIndex = endOf(head, found[0] === "<!--" ? "-->" : "]]>", ELEMENT.lastIndex);
    else elements++;
    if (name !== undefined && HTML_ELEMENT.test(name)) known++;
  }
  return known / Math.max(1, elements);
}

function endOf(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at + sign.length;
}
