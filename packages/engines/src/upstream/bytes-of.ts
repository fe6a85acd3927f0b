import { buffer } from 'node:stream/consumers';
import type { OrderMedia } from '../engine.ts';

export async function bytesOf(media: OrderMedia): Promise<Buffer> {
  return await buffer(await media.open());
}
