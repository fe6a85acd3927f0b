import { ACTIONS, type FieldLimit } from '@darkroom-service/contract/catalog';
import type { Order, OrderMedia, OrderParent } from '@darkroom-service/engines';
import { judgeUrl, withLength } from '@darkroom-service/media';
import { prepare } from '../database/prepared.ts';
import type { StoredMedia, TaskMedia, TaskRow } from '../record/task.ts';
import { keepOf, mediaOf, outputsOf, requestOf } from '../record/task-json.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { TaskServices } from '../tasks/task-services.ts';

const PARENT_COLUMNS = [
  'id',
  'type',
  'api_key_id',
  'input_json',
  'request_json',
  'outputs_json',
  'keep_json',
  'media_json',
  'parent_task_id',
] as const satisfies readonly (keyof TaskRow)[];
type ParentRow = Pick<TaskRow, (typeof PARENT_COLUMNS)[number]>;

const selectParent = prepare<{ id: string }, ParentRow>('order_parent', (builder, argument) =>
  builder.selectFrom('tasks').select(PARENT_COLUMNS).where('id', '=', argument('id')),
);

/** Builds the order that an engine gets for a task. */
export async function orderOf(
  services: Pick<TaskServices, 'catalog' | 'database' | 'signer' | 'storage'>,
  task: TaskRecord,
): Promise<Order> {
  const { request, route, simulate, media } = task;
  const model = services.catalog().find(task.model_id);
  const madeElsewhere = model === null || model.routes.every((route) => route.engine !== 'sketch');
  return {
    taskId: task.id,
    mode: task.mode,
    request,
    route,
    simulate,
    keyId: task.api_key_id,
    testMark: task.mode === 'test' && madeElsewhere,
    media: orderMedia(services, media, request.modelId, task.api_key_id),
    parent:
      task.parent_task_id === null || !isAction(request.action)
        ? null
        : await parentOf(services, task.parent_task_id, request.action),
  };
}

function orderMedia(
  services: Pick<TaskServices, 'catalog' | 'signer' | 'storage'>,
  media: readonly TaskMedia[],
  modelId: string,
  keyId: string,
): OrderMedia[] {
  const limits = services.catalog().find(modelId)?.limits ?? {};
  return media.flatMap(({ field, index, kind, stored }) =>
    stored === null ? [] : [{ ...orderMedium(services, field, index, kind, stored), ...roleIn(limits[field]), keyId }],
  );
}

function roleIn(limit: FieldLimit | undefined): Pick<OrderMedia, 'role'> {
  return limit?.role === undefined ? {} : { role: limit.role };
}

function isAction(action: string | null): boolean {
  return action !== null && action in ACTIONS;
}

async function parentOf(
  services: Pick<TaskServices, 'catalog' | 'database' | 'signer' | 'storage'>,
  taskId: string,
  action: string | null,
): Promise<OrderParent | null> {
  const row = await services.database.read.first(selectParent, { id: taskId });
  if (row === undefined) return null;
  const request = requestOf(row);
  const outputs = outputsOf(row);
  return {
    taskId: row.id,
    request,
    outputs: outputs.map((output, index) => orderMedium(services, 'outputs', index, row.type, output)),
    keep: keepOf(row),
    // Only a reroll needs the inputs of the repeated order.
    ...(action === 'reroll'
      ? {
          madeFrom: {
            media: orderMedia(services, mediaOf(row), request.modelId, row.api_key_id),
            parent:
              row.parent_task_id === null || !isAction(request.action)
                ? null
                : await parentOf(services, row.parent_task_id, request.action),
          },
        }
      : {}),
  };
}

function orderMedium(
  services: Pick<TaskServices, 'signer' | 'storage'>,
  field: string,
  index: number,
  kind: OrderMedia['kind'],
  stored: StoredMedia,
): OrderMedia {
  const { key, contentType, bytes, width, height, durationSeconds } = stored;
  const { url } = services.signer.sign(key);
  return {
    field,
    index,
    kind,
    contentType,
    bytes,
    width,
    height,
    durationSeconds,
    // A failure while reading looks like one to open: an engine that reads a file has not submitted yet.
    open: async () => withLength(await services.storage.open(key), key, bytes),
    url: judgeUrl(url, []).ok ? url : null,
  };
}
