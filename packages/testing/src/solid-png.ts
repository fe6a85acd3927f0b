import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const TRUE_COLOUR = 2;

/**
 * Returns a PNG whose channels all have one value. Short processes use it: loading an image library takes more
 * processor time than everything else that they do.
 */
export function solidPng({ width, height, value }: { width: number; height: number; value: number }): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, TRUE_COLOUR], 8);
  const rowBytes = 3 * width + 1;
  const rows = Buffer.alloc(rowBytes * height, value);
  // Each row begins with its filter: none.
  for (let row = 0; row < height; row++) rows[row * rowBytes] = 0;
  return Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function pngChunk(type: string, content: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), content, Buffer.alloc(4)]);
  chunk.writeUInt32BE(content.length);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}
