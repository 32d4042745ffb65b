import { foreignText } from "../message/foreign-text.js";

/** Text of others among Markdown: no tag, image, quote or heading of theirs counts but within code. */
export const plainMarkdown = (text: string): string =>
  foreignText(text).replace(/(`+)[^`\n]+\1|<(?=[a-z/!?])|!(?=\[)|^[>#]/gim, (sign) =>
    sign.startsWith("`") ? sign : `\\${sign}`,
  );

/** With its further lines inside of it. */
export const listItem = (text: string): string => `- ${plainMarkdown(text).replace(/\n+/g, "\n  ")}`;

/** A line of anything, to the letter. */
export function codeSpan(line: string): string {
  const text = foreignText(line);
  const fence = "`".repeat(1 + Math.max(0, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length)));
  return fence.length === 1 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}
