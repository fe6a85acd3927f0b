import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import type { OutputPlan } from '../src/catalog/model.ts';

const END_CHUNK_BYTES = 12;
const pictures = new Map<string, Promise<Buffer>>();

/**
 * A PNG of one colour and of the ordered size. It contains `name` as a text, so that two pictures differ in their
 * bytes. Each size is encoded once in a process.
 */
export async function plainPicture(
  { width, height }: Pick<OutputPlan, 'width' | 'height'>,
  name: string,
): Promise<Buffer> {
  const key = `${width}x${height}`;
  const picture =
    pictures.get(key) ??
    sharp({ create: { width, height, channels: 3, background: '#345' } })
      .png()
      .toBuffer();
  pictures.set(key, picture);
  const bytes = await picture;
  const end = bytes.length - END_CHUNK_BYTES;
  return Buffer.concat([bytes.subarray(0, end), textChunk(name), bytes.subarray(end)]);
}

function textChunk(text: string): Buffer {
  const content = Buffer.from(`tEXtComment\0${text}`, 'latin1');
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(content.length - 4);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return chunk;
}
