import { buffer } from 'node:stream/consumers';
import type { Fault } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import type { TaskFailure } from '@darkroom-service/engines';
import { StorageError } from '@darkroom-service/media';
import { actionParent } from '../../catalog/action-output.ts';
import { resolveAgain } from '../../catalog/resolve-action.ts';
import type { Resolution } from '../../catalog/resolve-request.ts';
import {
  outputsOf,
  type StoredMedia,
  type StoredOutput,
  type TaskMedia,
  type TaskRow,
  type TaskServices,
} from '../../kernel.ts';
import { type AwaitedOutput, engineOf, mediaOf, quoteOf, requestOf, taskFileKey } from '../../kernel-views.ts';
import { outputAt, tileSizeOf } from '../../tasks/files/chosen-output.ts';
import { judge } from '../../tasks/judge.ts';
import { isKeyed } from '../../tasks/owned-instance.ts';
import { paidFor } from '../../tasks/payment.ts';
import type { Outlook } from './outlook.ts';

/** The columns that a child needs of a task that it waited for. */
export type ParentRow = Pick<
  TaskRow,
  'id' | 'status' | 'step' | 'outputs_json' | 'input_json' | 'request_json' | 'erased_at' | 'deleted_at'
>;

type CutServices = Pick<TaskServices, 'media' | 'references' | 'storage'>;
export type ResolveServices = CutServices & Pick<TaskServices, 'catalog' | 'database' | 'log' | 'routing' | 'settings'>;

/** Why a blocked order cannot be made now. */
class Impossible extends Error {}

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
  services: ResolveServices,
  child: TaskRow,
  parents: readonly ParentRow[],
): Promise<Outlook> {
  const model = services.catalog().find(child.model_id);
  if (model === null) return impossible(`The model ${child.model_id} is no longer in the catalog.`);
  // Its price was held when it was ordered, and decides where it may be made.
  const wasKeyed = isKeyed(engineOf(child));
  const stored = mediaOf(child);
  let cutBytes = 0;
  try {
    const judged = await judge(services, {
      model,
      mode: child.mode,
      accountId: child.account_id,
      resolution: resolveAfter(model, child, parents),
      faults: [],
      parentTaskId: child.parent_task_id,
      isKeyed: wasKeyed,
      keepsFiles: true,
      acceptRoute(route, { keepTo, isBelowCost }) {
        if (isBelowCost)
          throw new Impossible(`No upstream is available for ${model.model_id} at the price that is held.`);
        return route ?? withoutRoute(model.model_id, keepTo, wasKeyed);
      },
      paidFor: (request, measurements) => paidFor(quoteOf(child), request, measurements),
      async findMedium({ field, index }) {
        const medium = stored.find((one) => one.field === field && one.index === index);
        if (medium?.awaited === undefined) return medium === undefined ? LOST : { ok: true, medium };
        const found = await collectOutput(services, child, medium, medium.awaited, parents);
        if ('reason' in found) return { ok: false, message: found.reason };
        cutBytes += found.cutBytes;
        const { awaited: _, ...rest } = medium;
        return { ok: true, medium: { ...rest, stored: found.stored } };
      },
    });
    if ('faults' in judged) return impossible(judged.faults.map(textOf).join(' '));
    const { request, media, route } = judged;
    return { request, media, route, newBytes: cutBytes };
  } catch (error) {
    if (error instanceof Impossible) return impossible(error.message);
    throw error;
  }
}

const LOST = { ok: false, message: 'it is not stored with the order' } as const;

function impossible(message: string): Outlook {
  return { failure: { code: 'invalid_input', message } };
}

function textOf({ param, message }: Fault): string {
  return param === null || message.includes(param) ? message : `${param}: ${message}`;
}

function withoutRoute(modelId: string, keepTo: string | null, wasKeyed: boolean): never {
  if (keepTo !== null && isKeyed(keepTo) !== wasKeyed)
    throw new Impossible(
      'Only the upstream account that made the parent can follow up on it, but the price was that of another one. Order the action again.',
    );
  if (wasKeyed) throw new Impossible(`The account has no upstream key any more that can make ${modelId}.`);
  throw new Impossible(`${modelId} has no configured engine any more.`);
}

/** Resolves an action on the parent that it waited for; a plain create depends on its parents by its media only. */
function resolveAfter(model: Model, child: TaskRow, parents: readonly ParentRow[]): Resolution {
  const request = requestOf(child);
  const parent = parents.find(({ id }) => id === child.parent_task_id);
  const output = parent === undefined ? undefined : outputsOf(parent)[0];
  if (parent === undefined || output === undefined) return { ok: true, request, missing: [] };
  return resolveAgain(model, request, actionParent(requestOf(parent), output));
}

/** Finds the output of a parent that a medium waited for, or says why there is none. */
async function collectOutput(
  services: CutServices,
  child: TaskRow,
  medium: TaskMedia,
  { taskId, number }: AwaitedOutput,
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
    const stored = await cutTile(services, child, medium, output, tile);
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
  services: CutServices,
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
