/** The prompt with the schema said in words, for protocols that have no field for it everywhere. */
export function withSchema(prompt: string, schema: unknown): string {
  if (schema === undefined) return prompt;
  return `${prompt}\n\nAnswer with one JSON value and nothing else. It follows this JSON Schema:\n${JSON.stringify(schema)}`;
}
