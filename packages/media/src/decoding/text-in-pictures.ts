import { nextMarker } from './check-end.ts';
import type { FileWindow } from './file-window.ts';
import type { Replacement } from './replacement.ts';

/** Optional chunks that change a picture's look, and C2PA (`caBX`); a capital first letter marks required chunks. */
const PNG_CHUNKS = new Set(
  'tRNS gAMA cHRM sRGB iCCP sBIT bKGD hIST pHYs sPLT cICP mDCV cLLI acTL fcTL fdAT caBX'.split(' '),
);
const WEBP_CHUNKS = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP', 'C2PA']);
/** Markers of Exif and XMP, IPTC, and comments. Other segments hold colour profiles (APP2) and C2PA (APP11). */
const JPEG_TEXTS = [0xe1, 0xed, 0xfe];
const WEBP_TEXT_FLAGS = 0x0c;

export function textInPng(file: FileWindow): readonly Replacement[] {
  const found: Replacement[] = [];
  for (let at = 8; at + 12 <= file.size; ) {
    const head = file.read(at, 8);
    const type = head.toString('latin1', 4, 8);
    const end = at + 12 + head.readUInt32BE(0);
    if (type === 'IEND' || end > file.size) break;
    if (!/^[A-Z]/.test(type) && !PNG_CHUNKS.has(type)) found.push({ start: at, end });
    at = end;
  }
  return found;
}

export function textInWebp(file: FileWindow): readonly Replacement[] {
  const found: Replacement[] = [];
  let flags: Replacement | null = null;
  for (let at = 12; at + 8 <= file.size; ) {
    const head = file.read(at, 9);
    const type = head.toString('latin1', 0, 4);
    const size = head.readUInt32LE(4);
    const end = Math.min(file.size, at + 8 + size + (size % 2));
    if (type === 'VP8X') {
      const bytes = Buffer.of((head[8] ?? 0) & ~WEBP_TEXT_FLAGS);
      flags = { start: at + 8, end: at + 9, bytes };
    } else if (!WEBP_CHUNKS.has(type)) found.push({ start: at, end });
    at = end;
  }
  if (found.length === 0) return [];
  const size = Buffer.alloc(4);
  size.writeUInt32LE(found.reduce((left, { start, end }) => left - (end - start), file.size - 8));
  const all = [{ start: 4, end: 8, bytes: size }, ...(flags === null ? [] : [flags]), ...found];
  return all.sort((a, b) => a.start - b.start);
}

export function textInJpeg(file: FileWindow): readonly Replacement[] {
  const found: Replacement[] = [];
  for (let at = 2; at + 4 <= file.size; ) {
    const head = file.read(at, 4);
    const marker = head[1] ?? 0;
    if (head[0] !== 0xff) at = nextMarker(file, at);
    else if (marker === 0xd9) break;
    else if (marker === 0xff) at++;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else {
      const end = Math.min(file.size, at + 2 + head.readUInt16BE(2));
      if (JPEG_TEXTS.includes(marker)) found.push({ start: at, end });
      at = marker === 0xda ? nextMarker(file, end) : end;
    }
  }
  return found;
}

export function textInGif(file: FileWindow): readonly Replacement[] {
  const found: Replacement[] = [];
  const byteAt = (at: number) => file.read(at, 1)[0] ?? 0;
  const tableBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  for (let at = 13 + tableBytes(byteAt(10)); at < file.size; ) {
    const start = at;
    const [kind, label] = file.read(at, 2);
    if (kind !== 0x21 && kind !== 0x2c) break;
    const isText = kind === 0x21 && (label === 0xfe || file.read(at + 3, 8).toString('latin1') === 'XMP Data');
    at += kind === 0x21 ? 2 : 11 + tableBytes(byteAt(at + 9));
    while (at < file.size && byteAt(at) !== 0) at += 1 + byteAt(at);
    at++;
    if (isText) found.push({ start, end: Math.min(at, file.size) });
  }
  return found;
}
