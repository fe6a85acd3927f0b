import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Order, OrderMedia } from '@darkroom-service/engines';
import type { PaintMedia } from '@darkroom-service/illustrator';
import { temporaryPath } from '@darkroom-service/media';

/** The media of an order, as files that a painter process can read. */
export interface FetchedMedia {
  readonly references: readonly PaintMedia[];
  /** The parent's picture, for a follow-up action. */
  readonly parentPicture: PaintMedia | null;
  remove(): Promise<void>;
}

/** Copies the media of an order into a temporary folder. `remove` deletes the folder. */
export async function fetchMedia(order: Order, temporaryDirectory: string, signal: AbortSignal): Promise<FetchedMedia> {
  const parent = order.parent?.outputs[0];
  const media = [...order.media, ...repeatedMedia(order)];
  if (media.length === 0 && parent === undefined)
    return { references: [], parentPicture: null, remove: async () => undefined };
  const folder = await mkdtemp(await temporaryPath(temporaryDirectory, `${order.taskId}-media-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const references: PaintMedia[] = [];
    for (const [index, medium] of media.entries())
      references.push(await copy(medium, join(folder, `${index}`), signal));
    const parentPicture = parent === undefined ? null : await copy(parent, join(folder, 'parent'), signal);
    return { references, parentPicture, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Returns the media that a reroll needs of its parent: the pictures of a create, the mask of a changed region. */
function repeatedMedia({ request, parent }: Order): readonly OrderMedia[] {
  if (request.action !== 'reroll') return [];
  let made = parent;
  while (made?.request.action === 'reroll') made = made.madeFrom?.parent ?? null;
  return made?.madeFrom?.media ?? [];
}

async function copy(medium: OrderMedia, path: string, signal: AbortSignal): Promise<PaintMedia> {
  await pipeline(await medium.open(), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  const { field, role, kind, contentType, durationSeconds } = medium;
  return { field, ...(role === undefined ? {} : { role }), kind, contentType, durationSeconds, path };
}
