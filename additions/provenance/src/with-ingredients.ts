import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { StoredMedia, TaskRecord, TaskServices } from '@darkroom-service/darkroom/kernel';
import { outputsOf, taskOfFileKey } from '@darkroom-service/darkroom/kernel-views';
import { StorageError, temporaryPath } from '@darkroom-service/media';
import type { SignOptions } from '@darkroom-service/media/decoding';

type Services = Pick<TaskServices, 'database' | 'settings' | 'storage'>;
type Ingredients = SignOptions['ingredients'];

/**
 * Provides copies of a task's ingredients, as far as they come from other tasks: the parent of an action, and media
 * that were given as `task:`. Ingredients that were erased meanwhile are omitted.
 * @throws StorageError
 */
export async function withIngredients<Result>(
  services: Services,
  task: TaskRecord,
  use: (ingredients: Ingredients) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(await temporaryPath(services.settings.temporaryDirectory, 'ingredients-'));
  try {
    return await use(await fetchIngredients(services, task, directory));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function fetchIngredients(services: Services, task: TaskRecord, directory: string): Promise<Ingredients> {
  const media = [await parentOf(services, task), ...task.media.map(({ stored }) => stored)];
  const found: Ingredients[number][] = [];
  for (const medium of media) {
    const title = medium === null ? null : taskOfFileKey(medium.key);
    if (medium === null || title === null || title === task.id) continue;
    const path = join(directory, `${found.length}`);
    try {
      await pipeline(await services.storage.open(medium.key), createWriteStream(path));
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

async function parentOf({ database }: Services, { parent_task_id: id }: TaskRecord): Promise<StoredMedia | null> {
  if (id === null) return null;
  const { read } = database;
  const row = await read.first(read.builder.selectFrom('tasks').select('outputs_json').where('id', '=', id));
  return row === undefined ? null : (outputsOf(row)[0] ?? null);
}
