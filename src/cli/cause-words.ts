/** What lies behind an error, in its own words; undefined where there is nothing, or nothing that the error does not say itself. */
export function causeWords({ message, cause }: Error): string | undefined {
  const words = wordsOf(cause).replace(/\.$/, "");
  return words === "" || message.includes(words) ? undefined : words;
}

/** The innermost cause says most. Some errors hold several, and have no words of their own. */
function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return typeof cause === "string" ? cause : "";
  const inner = wordsOf(cause.cause ?? (cause instanceof AggregateError ? cause.errors[0] : undefined));
  return inner || cause.message || cause.name;
}
