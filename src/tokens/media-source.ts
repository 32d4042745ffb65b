/** Where the bytes of an image or file are: in the message, or elsewhere and so unknown. */
export interface MediaSource {
  readonly byteLength: number;
  /** The first bytes; base64 is decoded that far and no further. */
  head(length: number): Uint8Array;
}

/** Bytes given in any way a message may hold them; nothing for links and references to a provider's store. */
export function readSource(data: unknown): MediaSource | undefined {
  if (typeof data === "string") return fromString(data);
  if (data instanceof URL) return data.protocol === "data:" ? fromString(data.href) : undefined;
  if (data instanceof Uint8Array) return fromBytes(data);
  if (data instanceof ArrayBuffer) return fromBytes(new Uint8Array(data));
  return isTagged(data) ? readSource(data.data) : undefined;
}

const isTagged = (data: unknown): data is { type: "data"; data: unknown } =>
  typeof data === "object" && data !== null && "type" in data && data.type === "data" && "data" in data;

const fromBytes = (bytes: Uint8Array): MediaSource => ({
  byteLength: bytes.byteLength,
  head: (length) => bytes.subarray(0, length),
});

function fromString(text: string): MediaSource | undefined {
  if (/^https?:/i.test(text)) return undefined;
  const start = text.startsWith("data:") ? text.indexOf(",") + 1 : 0;
  return {
    byteLength: Math.floor(((text.length - start) * 3) / 4),
    head: (length) => Buffer.from(text.slice(start, start + Math.ceil(length / 3) * 4), "base64"),
  };
}
