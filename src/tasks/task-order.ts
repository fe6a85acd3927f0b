import { finished, PassThrough, type Readable } from 'node:stream';
import type { JsonValue } from '../base/canonical-json.ts';
import { ACTIONS } from '../catalog/actions.ts';
import type { FieldLimit } from '../catalog/entry-schema.ts';
import type { ResolvedRequest } from '../catalog/model.ts';
import { prepare } from '../database/prepared.ts';
import type { Order, OrderMedia, OrderParent, OrderRoute, Simulate } from '../engines/engine.ts';
import { judgeUrl } from '../net/address-rules.ts';
import { type Storage, StorageError } from '../storage/storage.ts';
import type { Desk } from './desk.ts';
import type { StoredMedia, StoredOutput, TaskMedia, TaskRow } from './task.ts';

type ParentRow = Pick<
  TaskRow,
  'id' | 'type' | 'request_json' | 'outputs_json' | 'keep_json' | 'media_json' | 'parent_task_id'
>;

const selectParent = prepare<{ id: string }, ParentRow>('order_parent', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select(['id', 'type', 'request_json', 'outputs_json', 'keep_json', 'media_json', 'parent_task_id'])
    .where('id', '=', argument('id')),
);

/** Everything that an engine is told of a task. */
export async function orderOf(desk: Desk, task: TaskRow): Promise<Order> {
  const request = JSON.parse(task.request_json) as ResolvedRequest;
  const model = desk.catalog().find(task.model_id);
  const madeElsewhere = model === null || model.routes.every((route) => route.engine !== 'sketch');
  return {
    taskId: task.id,
    mode: task.mode,
    request,
    // A task of an older version has less.
    route: { model: null, parameters: null, fixed: {}, ...(JSON.parse(task.route_json) as Pick<OrderRoute, 'engine'>) },
    simulate: task.simulate_json === null ? null : (JSON.parse(task.simulate_json) as Simulate),
    testMark: task.mode === 'test' && madeElsewhere,
    media: mediaOf(desk, task, request),
    parent:
      task.parent_task_id === null || !isAction(request.action)
        ? null
        : await parentOf(desk, task.parent_task_id, request.action),
  };
}

function mediaOf(
  desk: Desk,
  { media_json }: Pick<TaskRow, 'media_json'>,
  { modelId }: Pick<ResolvedRequest, 'modelId'>,
): OrderMedia[] {
  const media = media_json === null ? [] : (JSON.parse(media_json) as TaskMedia[]);
  const limits = desk.catalog().find(modelId)?.limits ?? {};
  return media.flatMap(({ field, index, kind, stored }) =>
    stored === null ? [] : [{ ...orderMedia(desk, field, index, kind, stored), ...roleIn(limits[field]) }],
  );
}

function roleIn(limit: FieldLimit | undefined): Pick<OrderMedia, 'role'> {
  return limit?.role === undefined ? {} : { role: limit.role };
}

function isAction(action: string | null): boolean {
  return action !== null && action in ACTIONS;
}

async function parentOf(desk: Desk, taskId: string, action: string | null): Promise<OrderParent | null> {
  const row = await desk.database.read.first(selectParent, { id: taskId });
  if (row === undefined) return null;
  const request = JSON.parse(row.request_json) as ResolvedRequest;
  const outputs = JSON.parse(row.outputs_json) as StoredOutput[];
  return {
    taskId: row.id,
    request,
    outputs: outputs.map((output, index) => orderMedia(desk, 'outputs', index, row.type, output)),
    keep: row.keep_json === null ? null : (JSON.parse(row.keep_json) as JsonValue),
    // Only who repeats an order needs what that one was made from.
    ...(action === 'reroll'
      ? {
          madeFrom: {
            media: mediaOf(desk, row, request),
            parent:
              row.parent_task_id === null || !isAction(request.action)
                ? null
                : await parentOf(desk, row.parent_task_id, request.action),
          },
        }
      : {}),
  };
}

function orderMedia(
  desk: Desk,
  field: string,
  index: number,
  kind: OrderMedia['kind'],
  stored: StoredMedia,
): OrderMedia {
  const { key, contentType, bytes, width, height, durationSeconds } = stored;
  const { url } = desk.signer.sign(key);
  return {
    field,
    index,
    kind,
    contentType,
    bytes,
    width,
    height,
    durationSeconds,
    open: () => openWhole(desk.storage, key),
    url: judgeUrl(url, []).ok ? url : null,
  };
}

/** What breaks off while it is read fails as what cannot be opened does: an engine that reads it has not ordered anything yet. */
async function openWhole(storage: Storage, key: string): Promise<Readable> {
  const source = await storage.open(key);
  const read = new PassThrough();
  finished(source, (fault) => {
    if (!fault) return;
    read.destroy(
      fault instanceof StorageError ? fault : new StorageError('unavailable', `the object ${key} broke off`, fault),
    );
  });
  read.once('close', () => source.destroy());
  return source.pipe(read);
}
