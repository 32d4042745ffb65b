export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Bytes of an image file that must be at hand to read its size; JPEG may hold previews before it. */
const IMAGE_HEAD = 1024;
const JPEG_HEAD = 256 * 1024;

const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8;

/**
 * Width and height from the first bytes of a PNG, JPEG, GIF or WebP file; nothing for other formats.
 *
 * @example
 * ```ts
 * readImageSize(await readFile("photo.png")); // { width: 800, height: 600 }
 * ```
 */
export function readImageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = readSize(view, bytes);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The same where only the first bytes are fetched. */
export function imageSizeFrom(firstBytes: (length: number) => Uint8Array): ImageSize | undefined {
  const head = firstBytes(IMAGE_HEAD);
  return readImageSize(head) ?? (isJpeg(head) ? readImageSize(firstBytes(JPEG_HEAD)) : undefined);
}

function readSize(view: DataView, bytes: Uint8Array): ImageSize | undefined {
  if (bytes.length < 4) return undefined;
  if (isJpeg(bytes)) return readJpeg(view);
  const mark = view.getUint32(0);
  if (mark === 0x89504e47) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (mark === 0x47494638) return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (mark === 0x52494646 && view.getUint32(8) === 0x57454250) return readWebp(view);
  return undefined;
}

/** Walks the segments to the frame header: C0 to CF, less C4, C8 and CC, which hold other things. */
function readJpeg(view: DataView): ImageSize | undefined {
  for (let offset = 2; offset < view.byteLength; ) {
    if (view.getUint8(offset) !== 0xff) return undefined;
    const marker = view.getUint8(offset + 1);
    if (marker === 0xff) offset += 1;
    else if (isFrame(marker)) return { height: view.getUint16(offset + 5), width: view.getUint16(offset + 7) };
    else offset += 2 + view.getUint16(offset + 2);
  }
  return undefined;
}

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function readWebp(view: DataView): ImageSize | undefined {
  const kind = view.getUint32(12);
  if (kind === 0x56503858) return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (kind === 0x56503820)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind !== 0x5650384c) return undefined;
  const bits = view.getUint32(21, true);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}

const uint24 = (view: DataView, offset: number): number =>
  view.getUint16(offset, true) + (view.getUint8(offset + 2) << 16);
