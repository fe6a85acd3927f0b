import { buffer } from 'node:stream/consumers';
import type { TaskFailure } from '@darkroom-service/engines';
import { StorageError } from '@darkroom-service/media';
import type { Kernel, StoredMedia, StoredOutput, TaskMedia, TaskRow } from '../../kernel.ts';
import { outputAt, outputsOf, taskFileKey, tileSizeOf } from '../../kernel-views.ts';
import type { Outlook } from './outlook.ts';

/** Columns of an awaited task that a child needs. */
export type ParentRow = Pick<
  TaskRow,
  'id' | 'status' | 'step' | 'outputs_json' | 'input_json' | 'request_json' | 'erased_at' | 'deleted_at'
>;

type Files = Kernel['files'];

/**
 * Returns the failure of an order whose parent has ended without a usable output; null if the parent may still be used.
 */
export function failureBy(parent: ParentRow): TaskFailure | null {
  const end =
    parent.deleted_at !== null && parent.erased_at !== null
      ? 'was deleted'
      : parent.status === 'failed'
        ? 'failed'
        : parent.status === 'canceled'
          ? 'was canceled'
          : parent.erased_at !== null
            ? 'has lost its files'
            : null;
  if (end === null) return null;
  return { code: 'parent_failed', message: `The task ${parent.id}, which this order waited for, ${end}.` };
}

/**
 * Judges a blocked order again once its parents have succeeded, as if it were ordered now: the action and the media by
 * the real outputs. Writes nothing but the files of tiles.
 * @throws if our own storage fails
 */
export async function resolveChild(
  { files, orders }: Pick<Kernel, 'files' | 'orders'>,
  child: TaskRow,
  parents: readonly ParentRow[],
): Promise<Outlook> {
  const parent = parents.find(({ id }) => id === child.parent_task_id) ?? null;
  let newBytes = 0;
  const judged = await orders.judgeAgain(child, parent, async (medium, awaited) => {
    const found = await collectOutput(files, child, medium, awaited, parents);
    if ('reason' in found) return found;
    newBytes += found.cutBytes;
    return found.stored;
  });
  return 'failure' in judged ? judged : { ...judged, newBytes };
}

/** Finds the output of a parent that a medium waited for, or the reason why there is none. */
async function collectOutput(
  files: Files,
  child: TaskRow,
  medium: TaskMedia,
  { taskId, number }: NonNullable<TaskMedia['awaited']>,
  parents: readonly ParentRow[],
): Promise<{ readonly stored: StoredMedia; readonly cutBytes: number } | { readonly reason: string }> {
  const parent = parents.find(({ id }) => id === taskId);
  const chosen = parent === undefined ? 'it is not there' : outputAt(outputsOf(parent), number);
  if (typeof chosen === 'string') return { reason: `the task ${taskId} has no such output: ${chosen}` };
  const { output, tile } = chosen;
  if (tile === null) {
    const { key, contentType, bytes, width, height, durationSeconds, hasAudio } = output;
    return { stored: { key, contentType, bytes, width, height, durationSeconds, hasAudio }, cutBytes: 0 };
  }
  try {
    const stored = await cutTile(files, child, medium, output, tile);
    return { stored, cutBytes: stored.bytes };
  } catch (error) {
    if (!(error instanceof StorageError && error.kind === 'not_found')) throw error;
    return { reason: `the file of the task ${taskId} is gone` };
  }
}

/**
 * Cuts a tile out of a 2×2 grid and stores it as an input file of the task. Repeating it stores the same file.
 * @param tile 1 to 4: top left, top right, bottom left, bottom right
 * @throws StorageError; MediaFault
 */
async function cutTile(
  files: Files,
  task: TaskRow,
  { field, index }: TaskMedia,
  grid: StoredOutput,
  tile: number,
): Promise<StoredMedia> {
  const { width, height } = grid;
  if (width === null || height === null) throw new Error(`the grid ${grid.key} has no size`);
  const area = { x: ((tile - 1) % 2) / 2, y: Math.floor((tile - 1) / 2) / 2, width: 0.5, height: 0.5 };
  const call = { owner: task.api_key_id, patient: true };
  const bytes = await buffer(await files.storage.open(grid.key));
  const data = await files.media.edit('cutOut', [bytes, area, tileSizeOf({ width, height })], call);
  const key = taskFileKey(task.id, task.fence, `in-${field.replaceAll('_', '-')}-${index}`);
  const {
    sha256: _,
    fps: __,
    kind: ___,
    ...stored
  } = await files.references.collect({ data, kind: 'image' }, { key, ...call });
  return stored;
}
