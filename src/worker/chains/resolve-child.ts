import { buffer } from 'node:stream/consumers';
import { isKeyed } from '../../base/keyed-engine.ts';
import { measureRequest } from '../../catalog/measure-request.ts';
import type { Model, ResolvedRequest } from '../../catalog/model.ts';
import { resolveAgain } from '../../catalog/resolve-again.ts';
import type { TaskFailure } from '../../engines/engine.ts';
import { StorageError } from '../../storage/storage.ts';
import { actionParent } from '../../tasks/action-parent.ts';
import { outputAt, tileSizeOf } from '../../tasks/awaited-output.ts';
import { engineToKeepTo } from '../../tasks/engine-to-keep-to.ts';
import {
  measurementsOf,
  type StoredMedia,
  type StoredOutput,
  type TaskMedia,
  type TaskRow,
  taskFileKey,
} from '../../tasks/task.ts';
import { engineOf, mediaOf, outputsOf, requestOf } from '../../tasks/task-json.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import type { Outlook } from './outlook.ts';

/** The columns that a child needs of a task that it waited for. */
export type ParentRow = Pick<
  TaskRow,
  'id' | 'status' | 'step' | 'outputs_json' | 'input_json' | 'request_json' | 'erased_at' | 'deleted_at'
>;

/** Why a blocked order cannot be made. */
class Impossible extends Error {}

/**
 * Returns the failure of an order whose parent has ended without a usable output; null if the parent may still be used.
 */
export function failureBy(parent: ParentRow): TaskFailure | null {
  const end =
    parent.deleted_at !== null
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
 * the real outputs, then the route. Writes nothing but the files of tiles.
 * @throws if our own storage fails
 */
export async function resolveChild(
  services: TaskServices,
  child: TaskRow,
  parents: readonly ParentRow[],
): Promise<Outlook> {
  try {
    const model = services.catalog().find(child.model_id);
    if (model === null) throw new Impossible(`The model ${child.model_id} is no longer in the catalog.`);
    const request = requestAfter(model, child, parents);
    const { media, cutBytes } = await collectOutputs(services, child, parents);
    const fault = measureRequest(model, request, measurementsOf(media)).faults[0];
    if (fault !== undefined) throw new Impossible(`${fault.param ?? 'request'}: ${fault.message}`);
    const isFollowUp = child.mode === 'live' && child.action !== null;
    const keepTo = isFollowUp ? await engineToKeepTo(services.database.read, child.parent_task_id) : null;
    // Its price was held when it was ordered, and decides where it may be made.
    const wasKeyed = isKeyed(engineOf(child));
    const { route, faults } = services.routing.routeFor(model, child.mode, request, {
      account: child.account_id,
      keepTo,
      isKeyed: wasKeyed,
    });
    if (faults[0] !== undefined) throw new Impossible(faults[0].message);
    if (route === null && keepTo !== null && isKeyed(keepTo) !== wasKeyed)
      throw new Impossible(
        'Only the upstream account that made the parent can follow up on it, but the price was that of another one. Order the action again.',
      );
    if (route === null && wasKeyed)
      throw new Impossible(`The account has no upstream key any more that can make ${model.model_id}.`);
    if (route === null) throw new Impossible(`${model.model_id} has no configured engine any more.`);
    return { request, media, route, cutBytes };
  } catch (error) {
    if (error instanceof Impossible) return { failure: { code: 'invalid_input', message: error.message } };
    throw error;
  }
}

/** Resolves an action on the parent that it waited for; a plain create depends on its parents by its media only. */
function requestAfter(model: Model, child: TaskRow, parents: readonly ParentRow[]): ResolvedRequest {
  const request = requestOf(child);
  const parent = parents.find(({ id }) => id === child.parent_task_id);
  const output = parent === undefined ? undefined : outputsOf(parent)[0];
  if (parent === undefined || output === undefined) return request;
  const resolution = resolveAgain(model, request, actionParent(requestOf(parent), output));
  if (!resolution.ok) throw new Impossible(resolution.faults.map(({ message }) => message).join(' '));
  return resolution.request;
}

async function collectOutputs(
  services: TaskServices,
  child: TaskRow,
  parents: readonly ParentRow[],
): Promise<{ readonly media: TaskMedia[]; readonly cutBytes: number }> {
  let cutBytes = 0;
  const media: TaskMedia[] = [];
  for (const medium of mediaOf(child)) {
    if (medium.awaited === undefined) {
      media.push(medium);
      continue;
    }
    const { awaited, ...rest } = medium;
    const parent = parents.find(({ id }) => id === awaited.taskId);
    const chosen = parent === undefined ? 'it is not there' : outputAt(outputsOf(parent), awaited.number);
    if (typeof chosen === 'string')
      throw new Impossible(
        `${medium.field}[${medium.index}]: the task ${awaited.taskId} has no such output: ${chosen}.`,
      );
    const { output, tile } = chosen;
    if (tile === null) {
      const { key, contentType, bytes, width, height, durationSeconds, hasAudio } = output;
      media.push({ ...rest, stored: { key, contentType, bytes, width, height, durationSeconds, hasAudio } });
      continue;
    }
    const stored = await cutTile(services, child, medium, output, tile).catch((error: unknown) => {
      if (error instanceof StorageError && error.kind === 'not_found')
        throw new Impossible(`${medium.field}[${medium.index}]: the file of the task ${awaited.taskId} is gone.`);
      throw error;
    });
    cutBytes += stored.bytes;
    media.push({ ...rest, stored });
  }
  return { media, cutBytes };
}

/**
 * Cuts a tile out of a 2×2 grid and stores it as an input file of the task. Repeating it stores the same file.
 * @param tile 1 to 4: top left, top right, bottom left, bottom right
 * @throws StorageError; MediaFault
 */
async function cutTile(
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
