import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Kernel, StoredMedia, TaskRecord } from '@darkroom-service/darkroom/kernel';
import { outputsOf, taskOfFileKey } from '@darkroom-service/darkroom/kernel-views';
import { StorageError, temporaryPath } from '@darkroom-service/media';
import type { SignOptions } from '@darkroom-service/media/decoding';

type Parts = Pick<Kernel, 'files' | 'settings' | 'store'>;
type Ingredients = SignOptions['ingredients'];

/**
 * Provides copies of a task's ingredients, as far as they come from other tasks: the parent of an action, and media
 * that were given as `task:`. Ingredients that were erased meanwhile are omitted.
 * @throws StorageError
 */
export async function withIngredients<Result>(
  kernel: Parts,
  task: TaskRecord,
  use: (ingredients: Ingredients) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(await temporaryPath(kernel.settings.temporaryDirectory, 'ingredients-'));
  try {
    return await use(await fetchIngredients(kernel, task, directory));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function fetchIngredients(kernel: Parts, task: TaskRecord, directory: string): Promise<Ingredients> {
  const media = [await parentOf(kernel, task), ...task.media.map(({ stored }) => stored)];
  const found: Ingredients[number][] = [];
  for (const medium of media) {
    const title = medium === null ? null : taskOfFileKey(medium.key);
    if (medium === null || title === null || title === task.id) continue;
    const path = join(directory, `${found.length}`);
    try {
      await pipeline(await kernel.files.storage.open(medium.key), createWriteStream(path));
    } catch (error) {
      if (error instanceof StorageError && error.kind === 'not_found') continue;
      throw error;
    }
    // A picture made from a picture is an edit of it. A file has one parent.
    const relationship = task.type === 'image' && found.length === 0 ? 'parentOf' : 'inputTo';
    found.push({ title, contentType: medium.contentType, relationship, path });
  }
  return found;
}

async function parentOf({ store: { read } }: Parts, { parent_task_id: id }: TaskRecord): Promise<StoredMedia | null> {
  if (id === null) return null;
  const row = await read.first(read.builder.selectFrom('tasks').select('outputs_json').where('id', '=', id));
  return row === undefined ? null : (outputsOf(row)[0] ?? null);
}
