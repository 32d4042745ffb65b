import { excerptForm } from "../changed-form.js";
import type { Excerpt } from "../excerpt.js";
import { shortenText } from "../shorten-text.js";
import { tagReader } from "./html-tags.js";
import { htmlToText } from "./html-text.js";
import { reduceJson } from "./json.js";
import { scanJson } from "./json-scan.js";
import { scoreProse } from "./prose.js";
import { type MarkupRequest, reduceElements } from "./xml.js";

/** A page whose reading is below these shares of its characters and of the budget shows little of what it holds. */
const LITTLE_SHARE = 0.1;
const LITTLE_OF_BUDGET = 1 / 3;
const SHARES = { tierShare: 0.7, headShare: 0.7 };
const LEAST_ROOM = 48;
const LONGEST_TAG = 400;
const TAG_TOKENS = 40;

/** A page as the text that a reader sees; where that is little, also the data or the source it is made from. */
export function reduceHtml(request: MarkupRequest): Excerpt {
  const { text, maxTokens, count } = request;
  const seen = htmlToText(text);
  if (seen === "") return reduceElements("html", request);
  const reading = excerptForm({
    text: seen,
    source: text,
    name: "html as text",
    fullName: `html of ${request.sourceLength} chars as text`,
    score: scoreProse,
    ...SHARES,
    maxTokens,
    count,
  });
  const used = count(reading.text);
  const room = maxTokens - used - 1;
  const little = seen.length < text.length * LITTLE_SHARE && used < maxTokens * LITTLE_OF_BUDGET;
  if (!reading.whole || !little || room < LEAST_ROOM) return reading;
  const below = { ...request, maxTokens: room };
  const more = reduceData(below) ?? reduceElements("html", below);
  return { text: `${reading.text}\n${more.text}`, linesOmitted: more.linesOmitted };
}

/** The largest JSON that the page carries for its own scripts, below the tag that opens it. */
function reduceData({ text, maxTokens, count }: MarkupRequest): Excerpt | undefined {
  const data = largestScript(text);
  const root = data === undefined ? undefined : scanJson(data.content);
  if (data === undefined || root === undefined) return undefined;
  const tag = shortenText(data.tag, { maxTokens: TAG_TOKENS, counter: count });
  const json = reduceJson({ text: data.content, root, maxTokens: maxTokens - count(tag) - 1, count });
  return json === undefined ? undefined : { text: `${tag}\n${json}`, linesOmitted: 0 };
}

interface Script {
  readonly tag: string;
  readonly content: string;
}

function largestScript(html: string): Script | undefined {
  const readTag = tagReader(html);
  let largest: Script | undefined;
  for (let open = html.indexOf("<"); open >= 0; ) {
    const tag = readTag(open);
    if (tag?.name === "script" && tag.hidden !== undefined) {
      const [start, end] = tag.hidden;
      const content = html.slice(start, end).trim();
      const isData = content.startsWith("{") || content.startsWith("[");
      if (isData && content.length > (largest?.content.length ?? 0)) {
        largest = { tag: html.slice(open, Math.min(start, open + LONGEST_TAG)), content };
      }
    }
    open = html.indexOf("<", tag?.end ?? open + 1);
  }
  return largest;
}
