/** The data of server-sent events, one by one; comments, names and ids of events are left out. */
export async function* serverEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
    if (line !== "" || data.length === 0) continue;
    yield data.join("\n");
    data = [];
  }
  if (data.length > 0) yield data.join("\n");
}

/** Lines end with a line feed, a carriage return, or both; a chunk may end anywhere, also inside a character. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const end = rest.endsWith("\r") ? rest.length - 1 : rest.length;
    const lines = rest.slice(0, end).split(/\r\n|\n|\r/);
    rest = lines.pop()! + rest.slice(end);
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield* rest.split(/\r\n|\n|\r/);
}
