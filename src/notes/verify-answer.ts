import type { Summary } from "./summariser.js";

/** Checks that need the summary alone: is it an answer at all? */

const THINKING = /^\s*<(think|thinking|reasoning|analysis)>[\s\S]*?(?:<\/\1>|$)/i;

/** The text without the reasoning that some models write before it. */
export function withoutReasoning(text: string): string {
  let rest = text;
  while (THINKING.test(rest)) rest = rest.replace(THINKING, "");
  return rest.trim();
}

const REFUSAL =
  /^\W*(i['’]?m (very |so |really )?(sorry|afraid|unable)|i (really )?(apologi[sz]e|can ?not|can['’]?t|won['’]?t|am (unable|not able|sorry))|(sorry|apologies|unfortunately)\b[,.! ]|as an? (ai|language model))/i;
const FAILURE =
  /^\W*(an? )?((api|internal|unexpected|server|request|network|unknown) )*(error|exception|traceback|failure)\b( occurred| generating| creating| while| in| code| \d{3}|:|\.|$)|^\W*(request|summari[sz]ation|call|generation) (failed|timed out)|^\W*failed to (generate|create|summari[sz]e)|^\W*(the )?(previous )?(conversation|context|input|prompt) (was|is) too long/i;
const PROVIDER =
  /overloaded_error|rate_limit_error|invalid_request_error|api_error|server_error|insufficient_quota|context_length_exceeded|\b(internal server error|bad gateway|service unavailable|gateway time-?out|too many requests)\b/i;
const PAGE = /^\s*(<!doctype html|<html[\s>]|<\?xml)/i;
/** A text of this length without a heading may be a message of a provider; a longer one only speaks of it. */
const MESSAGE_LENGTH = 400;

/** Whether a text is a failure told in words: a provider's error, a page of a proxy, a refusal. */
export function isErrorText(text: string): boolean {
  if (PAGE.test(text) || isErrorBody(text)) return true;
  const opening = text.replace(/^(\s*(#[^\n]*\n|[-*+]\s))+/, "");
  if (REFUSAL.test(opening)) return true;
  return text.length < MESSAGE_LENGTH && !/^#{1,3} \w/m.test(text) && (FAILURE.test(opening) || PROVIDER.test(text));
}

function isErrorBody(text: string): boolean {
  if (!/^\s*(```\w*\s*)?\{/.test(text)) return false;
  return /^[\s`\w]*\{\s*"?(error|type"?\s*:\s*"error|message|code|detail|object"?\s*:\s*"error)\b/.test(text);
}

/** Words that no sentence ends with. */
const DANGLING =
  /(^|\s)(a|an|the|and|or|but|of|to|for|from|with|without|into|that|which|because|if|when|while|was|were|been|its|their|as|than|very)$/i;

/** Whether a text stops in the middle: its model said so, or its last line cannot be a last line. */
export function isCut(text: string, finish: Summary["finish"]): boolean {
  if (finish === "length") return true;
  if ((text.match(/^[ \t]*```/gm)?.length ?? 0) % 2 === 1) return true;
  const last = text.trimEnd().split("\n").at(-1)!.trim();
  return /[,;([{:]$|\s[-–—]$/.test(last) || DANGLING.test(last);
}
