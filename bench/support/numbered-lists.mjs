const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** How agents number their items: how an item is written, and what stands in front of its first statement. */
export const FORMATS = {
  dot: { write: (label, text) => `${label}. ${text}`, lead: (label) => `\\s*${label}\\. ` },
  paren: { write: (label, text) => `${label}) ${text}`, lead: (label) => `\\s*${label}\\) ` },
  bold: { write: (label, text) => `**${label}.** ${text}`, lead: (label) => `\\*\\*${label}\\.(?:\\*\\*)? ` },
  heading: {
    write: (label, text) => `### ${label}. ${text}\n\nSeen again in the last two runs; small to mend.\n`,
    lead: (label) => `#{1,6} \\**${label}[.)] `,
  },
  table: {
    head: "| # | severity | what |\n|---|---|---|",
    write: (label, text) => `| ${label} | ${["low", "medium", "high"][label % 3]} | ${text} |`,
    lead: (label) => `\\| *${label} *\\|`,
  },
  step: { write: (label, text) => `**Step ${label}:** ${text}`, lead: (label) => `\\*\\*Step ${label}:\\*\\* ` },
  letter: { write: (label, text) => `${label}) ${text}`, lead: (label) => `${label}\\) ` },
  round: { write: (label, text) => `- (${label}) ${text}`, lead: (label) => `\\s*- \\(${label}\\) ` },
  hash: { write: (label, text) => `* **#${label}** ${text}`, lead: (label) => `\\* \\*\\*#${label}\\*\\* ` },
  option: { write: (label, text) => `**Option ${label}:** ${text}`, lead: (label) => `\\*\\*Option ${label}:\\*\\* ` },
  chinese: { write: (label, text) => `${label}、${text}`, lead: (label) => `${label}、` },
  nested: { write: (label, text) => `   - [ ] ${label}. ${text}`, lead: (label) => `\\s*- \\[ \\] ${label}\\. ` },
};
const LETTERED = new Set(["letter", "option"]);

export const labelsOf = (format, size) =>
  Array.from({ length: size }, (_, at) => (LETTERED.has(format) ? String.fromCharCode(65 + at) : String(at + 1)));

const WHOLE_LINE = new Set(["heading", "table"]);
/** A shorter opening is a title; its sentence goes on. */
const SHORTEST = 20;

/** The first statement of an item, without its number: the heading, the row, or the first sentence of the line. */
export function firstStatement(list, { format, label }) {
  const lead = new RegExp(`^${FORMATS[format].lead(escaped(label))}(?<rest>.+)$`, "m");
  const line = lead.exec(list)?.groups.rest;
  if (line === undefined || WHOLE_LINE.has(format)) return line;
  const ends = [...line.matchAll(/[.!?](?=\**\s+\**[\p{Lu}`])|[。！？]/gu)].map(({ index }) => index + 1);
  return line.slice(0, ends.find((end) => end >= SHORTEST) ?? line.length);
}

/** Text without the marks of Markdown, and without regard to how its lines are wrapped. */
export const bare = (text) =>
  text
    .replaceAll(/[*`|#]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Whether the statement stands in the text, right behind its number. */
export function hasItem(text, label, statement) {
  const [whole, wanted] = [bare(text), bare(statement)];
  const number = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(label)}[^\\p{L}\\p{N}]*$`, "u");
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1))
    if (number.test(whole.slice(Math.max(0, at - 16), at))) return true;
  return false;
}
