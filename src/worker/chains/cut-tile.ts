import { buffer } from 'node:stream/consumers';
import { tileSizeOf } from '../../tasks/awaited-output.ts';
import { type StoredMedia, type StoredOutput, type TaskMedia, type TaskRow, taskFileKey } from '../../tasks/task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';

/**
 * Cuts a tile out of a 2×2 grid and stores it as an input file of the task. Repeating it stores the same file.
 * @param tile 1 to 4: top left, top right, bottom left, bottom right
 * @throws StorageError; MediaFault
 */
export async function cutTile(
  services: Pick<TaskServices, 'media' | 'references' | 'storage'>,
  task: TaskRow,
  { field, index }: TaskMedia,
  grid: StoredOutput,
  tile: number,
): Promise<StoredMedia> {
  const { width, height } = grid;
  if (width === null || height === null) throw new Error(`the grid ${grid.key} has no size`);
  const area = { x: ((tile - 1) % 2) / 2, y: Math.floor((tile - 1) / 2) / 2, width: 0.5, height: 0.5 };
  const owner = task.api_key_id;
  const bytes = await buffer(await services.storage.open(grid.key));
  const data = await services.media.edit('cutOut', [bytes, area, tileSizeOf({ width, height })], {
    owner,
    patient: true,
  });
  const key = taskFileKey(task.id, task.fence, `in-${field.replaceAll('_', '-')}-${index}`);
  const {
    sha256: _,
    fps: __,
    kind: ___,
    ...stored
  } = await services.references.collect({ data, kind: 'image' }, { key, owner });
  return stored;
}
