import type { OutputPlan } from '@darkroom-service/contract/catalog';
import { pngChunk, solidPng } from '@darkroom-service/testing';

const END_CHUNK_BYTES = 12;
const pictures = new Map<string, Buffer>();

/**
 * A PNG of one colour and of the ordered size. It contains `name` as a text, so that two pictures differ in their
 * bytes. Each size is encoded once in a process.
 */
export function plainPicture({ width, height }: Pick<OutputPlan, 'width' | 'height'>, name: string): Buffer {
  const key = `${width}x${height}`;
  const picture = pictures.get(key) ?? solidPng({ width, height, value: 70 });
  pictures.set(key, picture);
  const text = pngChunk('tEXt', Buffer.from(`Comment\0${name}`, 'latin1'));
  const end = picture.length - END_CHUNK_BYTES;
  return Buffer.concat([picture.subarray(0, end), text, picture.subarray(end)]);
}
