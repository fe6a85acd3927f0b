import { crc32 } from 'node:zlib';

/** Returns a chunk of a PNG. @param content in Latin-1, such as `keyword\0text` of a text chunk */
export function pngChunk(type: string, content: string): Buffer {
  const body = Buffer.from(`${type}${content}`, 'latin1');
  const chunk = Buffer.alloc(8 + body.length);
  chunk.writeUInt32BE(content.length);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), 4 + body.length);
  return chunk;
}

/** Puts a chunk behind the header of a PNG. */
export function withChunk(png: Buffer, type: string, content: string): Buffer {
  return Buffer.concat([png.subarray(0, 33), pngChunk(type, content), png.subarray(33)]);
}
